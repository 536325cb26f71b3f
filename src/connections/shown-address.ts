import type { App } from '../app.ts';

/** In sandbox mode the address leads to the sandbox: at the real network the same name belongs to somebody else. */
export function shownAddress({ platformAccess }: Pick<App, 'platformAccess'>, address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  return url ? platformAccess.route(url).href : address;
}
