import type { OperatorOption, SiteFile } from '../kit/index.ts';

const token = '[A-Za-z0-9]{8,64}';

export const options = {
  VERIFICATION: {
    about:
      'TikTok fetches photos only from verified URLs. When you add the URL property PUBLIC_URL/media/ ' +
      'on TikTok, you get a file named tiktok….txt: set this variable to the text after the = in that file. Separate several values with spaces.',
    standard: '',
    pattern: new RegExp(`^(${token}([\\s,]+${token})*)?$`),
    mistake: 'is not the content of a TikTok verification file: write the letters and digits after the = in it',
  },
} as const satisfies Record<string, OperatorOption>;

/** TikTok’s console shows both the name and the content (https://developers.tiktok.com, seen 2026-11). */
export const siteFiles = (given: Readonly<Partial<Record<string, string>>>): SiteFile[] =>
  (given.VERIFICATION ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((name) => ({ name: `tiktok${name}.txt`, content: `tiktok-developers-site-verification=${name}` }));
