import { isLoopback } from './loopback.ts';

/** The operator's mail server. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, as with `smtps:`. Otherwise the connection starts in plain text. */
  readonly isTls: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

/** The sender of emails. Without a name, mail programs show the address. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const defaultPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** The server, or an error text, which never contains the password. */
export function parseMailUrl(value: string): MailServer | string {
  const url = URL.parse(value);
  const defaultPort = defaultPorts[url?.protocol ?? ''];
  if (!url?.hostname || defaultPort === undefined || !/^\/?$/.test(url.pathname) || url.search || url.hash) {
    return (
      'is not the address of a mail server: write smtp://user:password@mail.example.com:587 or smtps://…, with special ' +
      'characters of user and password encoded (%40 for @, %2F for /, %23 for #)'
    );
  }
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null) {
    return 'has a % in its user or password that does not start a percent code: write it as %25';
  }
  if (!user !== !password) return 'has only one of the two credentials: give both a user and a password, or neither';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
    isTls: url.protocol === 'smtps:',
    credentials: user && password ? { user, password } : null,
  };
}

/** `crier@example.com` or `Crier <crier@example.com>`; null for anything else. */
export function parseMailAddress(value: string): MailAddress | null {
  const [, quoted, plain, bracketed, bare] =
    /^(?:(?:"([^"]*)"|([^"<>@]*?))\s*<([^<>]*)>|(.*))$/.exec(value.trim()) ?? [];
  const address = bracketed ?? bare ?? '';
  const name = quoted ?? plain ?? '';
  return isMailAddress(address) && !/\p{Cc}/u.test(name) ? { name, address } : null;
}

/**
 * Rejects anything that could end an SMTP command or a header. Only the receiving server knows whether an address
 * exists.
 */
export const isMailAddress = (text: string) => /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()\\,;"@]+$/u.test(text);

/** Whether the server is on this machine, where no one can intercept the connection. */
export const isLocalServer = ({ host }: MailServer) =>
  host === 'localhost' || (/^[\d.]+$|:/.test(host) && isLoopback(host));

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
