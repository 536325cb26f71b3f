/** A mail as its reader sees it. */
export interface ParsedMail {
  /** In their wire form, in lower case and in order, with folded lines joined. */
  headers: [name: string, value: string][];
  subject: string;
  text: string;
  html: string;
}

/** Parses Crier's mails: a text and an HTML part. */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headerIn(headers, 'content-type'))?.[1];
  const parts = boundary ? body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, ''))) : [];
  const partOf = (type: string) => {
    const part = parts.find((one) => headerIn(one.headers, 'content-type').startsWith(type));
    return part ? decodedBody(part) : '';
  };
  return {
    headers,
    subject: decodedWords(headerIn(headers, 'subject')),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  };
}

type Headers = ParsedMail['headers'];

export const headerIn = (headers: Headers, name: string) => headers.find(([one]) => one === name)?.[1] ?? '';

function split(raw: string): { headers: Headers; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const headers = head.split('\r\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers, body: raw.slice(end + 4) };
}

function decodedBody({ headers, body }: { headers: Headers; body: string }): string {
  const encoding = headerIn(headers, 'content-transfer-encoding').toLowerCase();
  const text = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString();
  return encoding === 'quoted-printable' ? quotedPrintable(text.replace(/=\r\n/g, '')) : text;
}

/** RFC 2047. */
function decodedWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : quotedPrintable(text.replaceAll('_', ' ')),
    );
}

const quotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
