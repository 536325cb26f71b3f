import { existsSync } from 'node:fs';

/** Common install paths on Debian, Ubuntu, macOS and Windows. */
const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];
const { CHROMIUM } = process.env;

/** The browser, which npm doesn't install. `CHROMIUM` overrides the search. Null: none found. */
export const chromiumPath: string | null =
  (CHROMIUM === undefined ? usualPaths : [CHROMIUM]).find((path) => existsSync(path)) ?? null;

export const launchOptions = { executablePath: chromiumPath ?? '', args: ['--no-sandbox'] };
