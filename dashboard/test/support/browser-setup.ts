import { builtDashboard } from '../../../src/startup/dashboard-build.ts';
import { chromiumPath } from './chromium.ts';

/** Builds the dashboard once for all files. Without a browser the journeys are skipped. */
export async function setup() {
  if (chromiumPath) await builtDashboard(() => console.log('Building the dashboard for its journeys…'));
  else
    console.warn(
      '\nNo Chromium found, so the dashboard journeys are skipped. Install it, or set CHROMIUM to its path.\n',
    );
}
