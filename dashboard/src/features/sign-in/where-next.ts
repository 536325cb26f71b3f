/** Where somebody wanted to go before signing in. Never another site. */
export function whereNext(next: string | undefined): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/';
}
