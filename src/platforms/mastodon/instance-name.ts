import { parseUrl } from '../../foundation/lib/parse-url.ts';
/** The host in what people enter for their server: `@ann@host`, a profile URL, capitals, a stray slash. */
export function hostOf(typed: string): string {
  const [authority = ''] = typed
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .split(/[/\\?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/\.$/, '');
  // The URL parser lower-cases the host and converts international names to `xn--…`.
  return parseUrl(`https://${host}`)?.host ?? host;
}

/** A host name with a dot and no port. An IP address does not qualify, because its last part has no letter. */
export function isHost(host: string): boolean {
  return (
    host.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(host)
  );
}

/**
 * The domain of handles on a server. A server at `social.example.com` may report that its handles are of `example.com`.
 * Claims about any other domain are ignored: a hostile server could pass its accounts off as those of another one.
 */
export function handleDomain(claimed: string | undefined, instance: string): string {
  const domain = claimed?.toLowerCase() ?? instance;
  return isHost(domain) && `.${instance}`.endsWith(`.${domain}`) ? domain : instance;
}
