import type { App } from '../../../app.ts';
import { webAddress } from '../../../platforms/kit/index.ts';

/**
 * In sandbox mode, the URL points to the sandbox: on the real network, the same name belongs to someone else. Null if
 * the value is not a web address, which a server may have sent and an older version stored.
 */
export function shownAddress({ platformAccess }: Pick<App, 'platformAccess'>, address: string | null): string | null {
  const safe = webAddress(address);
  return safe && platformAccess.route(new URL(safe)).href;
}
