import type { GetPostStatisticsResult } from '@crier/client';
import { platformName } from '../../lib/platform-name.ts';

type Issue = NonNullable<GetPostStatisticsResult['issues']>[string];

/** Why a network tells nothing at the moment, and what to do. */
export const reasonOf = (issue: Issue, platform: string): string => reasons[issue](platformName(platform));

const reasons: Record<Issue, (name: string) => string> = {
  CONNECTION_NOT_FOUND: (name) => `This channel is no longer connected. Connect it again to read from ${name}.`,
  AUTH_REVOKED: (name) => `${name} no longer lets Crier read this account. Connect the channel again.`,
  FORBIDDEN: (name) => `${name} does not let Crier read these numbers. Connect the channel again to ask for it.`,
  RATE_LIMITED: (name) => `${name} asked Crier to wait before it reads more. Try again in a while.`,
  FETCH_FAILED: (name) => `${name} did not answer. Try again in a while.`,
};
