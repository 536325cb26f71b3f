/** Where somebody wanted to go before signing in. Never another site: browsers read `/\` and `/<tab>/` as `//`. */
export function whereNext(next: string | undefined): string {
  const here = 'http://crier.invalid';
  if (!next?.startsWith('/') || !URL.canParse(next, here)) return '/';
  return new URL(next, here).origin === here ? next : '/';
}
