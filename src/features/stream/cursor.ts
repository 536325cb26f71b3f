import type { Cursor } from './queries.ts';

const maxLength = 4000;
const maxXid = 2n ** 63n;

/**
 * Parses a `Last-Event-ID`: `<xmin>:<xmax>:<xip,…>`, PostgreSQL's format for snapshots. Null for anything else, which
 * PostgreSQL would reject with an error.
 */
export function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined || text.length > maxLength) return null;
  const match = /^(\d+):(\d+):([\d,]*)$/.exec(text);
  if (!match) return null;
  const [, xmin = '', xmax = '', list = ''] = match;
  const running = list === '' ? [] : list.split(',');
  if ([xmin, xmax, ...running].some((xid) => xid === '' || BigInt(xid) < 1n || BigInt(xid) >= maxXid)) return null;
  const ordered = [BigInt(xmin) - 1n, ...running.map(BigInt), BigInt(xmax)];
  return ordered.every((xid, index) => index === 0 || ordered[index - 1]! < xid) ? text : null;
}
