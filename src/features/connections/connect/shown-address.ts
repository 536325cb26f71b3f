import type { App } from '../../../app.ts';
import { webAddress } from '../../../platforms/kit/index.ts';

/**
 * In sandbox mode the address leads to the sandbox: at the real network the same name belongs to somebody else. Null for what is
 * no address on the web, as a server may have sent and an older version stored.
 */
export function shownAddress({ platformAccess }: Pick<App, 'platformAccess'>, address: string | null): string | null {
  const safe = webAddress(address);
  return safe && platformAccess.route(new URL(safe)).href;
}
