import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { builtDashboard } from '../../../src/startup/dashboard-build.ts';
import { chromiumPath, launchOptions } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of the whole run listens. */
    browserUrl: string;
  }
}

/** One browser for the whole run, and the dashboard built once. Without a browser the journeys are skipped. */
export async function setup(project: TestProject) {
  if (!chromiumPath) {
    console.warn(
      '\nNo Chromium was found, so the journeys of the dashboard are skipped. Install it, or set CHROMIUM to its path.\n',
    );
    return undefined;
  }
  const [browser] = await Promise.all([
    chromium.launchServer(launchOptions),
    builtDashboard(() => console.log('Building the dashboard for its journeys …')),
  ]);
  project.provide('browserUrl', browser.wsEndpoint());
  return () => browser.close();
}
