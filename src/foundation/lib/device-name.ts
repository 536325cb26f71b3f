/**
 * A name that people recognize: "Firefox on Windows". The first matching pattern wins, because browsers name each
 * other.
 */
export function deviceName(userAgent: string | null | undefined): string {
  const text = (userAgent ?? '').slice(0, 500);
  const browser = nameIn(browsers, text);
  const system = nameIn(systems, text);
  if (browser && system) return `${browser} on ${system}`;
  // Programs name themselves first: curl/8.5.0. Show only letters and digits, because a caller can send any text.
  const program = /^[A-Za-z][A-Za-z0-9-]{0,29}(?=\/|$)/.exec(text)?.[0];
  return browser ?? system ?? program ?? 'Unknown device';
}

type Names = readonly (readonly [name: string, pattern: RegExp])[];

const nameIn = (names: Names, text: string) => names.find(([, pattern]) => pattern.test(text))?.[0];

const browsers: Names = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const systems: Names = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];
