/**
 * The URL parser for untrusted text. Null if the text is not a URL, or is longer than any real one: the parser takes
 * seconds for a long international name.
 */
export function parseUrl(text: string, base?: URL): URL | null {
  return isTooLong(text, base !== undefined) ? null : URL.parse(text, base);
}

const maxUrlLength = 8_192;
const maxAuthorityLength = 255;

function isTooLong(text: string, isRelative: boolean): boolean {
  if (text.length > maxUrlLength) return true;
  // Like the parser, which drops line breaks and tabs anywhere.
  const clean = text.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+/, '');
  if (isRelative && !/^([a-z]+:|[/\\]{2})/i.test(clean)) return false;
  const [authority = ''] = clean.replace(/^[a-z]{0,10}:?[/\\]*/i, '').split(/[/\\?#]/, 1);
  return authority.length > maxAuthorityLength;
}
