import { existsSync } from 'node:fs';

/** Where Debian, Ubuntu, macOS and Windows have Chromium or Chrome. */
const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];
const { CHROMIUM } = process.env;

/** The browser, which npm does not install. `CHROMIUM` names one; if it is set, no other is looked for. Null: there is none. */
export const chromiumPath: string | null =
  (CHROMIUM === undefined ? usualPaths : [CHROMIUM]).find((path) => existsSync(path)) ?? null;

export const launchOptions = { executablePath: chromiumPath ?? '', args: ['--no-sandbox'] };
