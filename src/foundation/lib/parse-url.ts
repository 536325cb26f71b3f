/**
 * The URL parser for texts of strangers. Null for what is no URL, and for what is longer than any address in use: the parser
 * takes seconds for a long international name.
 */
export function parseUrl(text: string, base?: URL): URL | null {
  return isTooLong(text, base !== undefined) ? null : URL.parse(text, base);
}

const maxUrlLength = 8_192;
const maxAuthorityLength = 255;

function isTooLong(text: string, isRelative: boolean): boolean {
  if (text.length > maxUrlLength) return true;
  // As the parser does: it drops line breaks and tabs wherever they are.
  const clean = text.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+/, '');
  if (isRelative && !/^([a-z]+:|[/\\]{2})/i.test(clean)) return false;
  const [authority = ''] = clean.replace(/^[a-z]{0,10}:?[/\\]*/i, '').split(/[/\\?#]/, 1);
  return authority.length > maxAuthorityLength;
}
