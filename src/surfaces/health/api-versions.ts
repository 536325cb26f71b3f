import type { App } from '../../app.ts';
import { versionWarnings } from '../../platforms/kit/api-versions.ts';

/** The APIs of networks that end soon, each as a sentence for the operator. */
export const endingVersions = ({ clock, platformAccess }: Pick<App, 'clock' | 'platformAccess'>): string[] =>
  versionWarnings(clock.now(), platformAccess.options);
