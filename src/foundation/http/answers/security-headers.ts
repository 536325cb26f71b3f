import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

const yearSeconds = 31_536_000;

/** The security headers of every response. They never vary, so they are built once. */
export function securityHeaders(options: { strictTransport: boolean }): Record<string, string> {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: unknown) => headers.set(name.toLowerCase(), String(value)),
    removeHeader: (name: string) => headers.delete(name.toLowerCase()),
  };
  const setHeaders = helmet({
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    // Don't decide for the operator's other sites on subdomains.
    strictTransportSecurity: options.strictTransport && { maxAge: yearSeconds, includeSubDomains: false },
  });
  setHeaders({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return Object.fromEntries(headers);
}
