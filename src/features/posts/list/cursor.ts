import { Problem } from '../../../foundation/errors/index.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import type { Page, Place } from './page-queries.ts';

type Order = Pick<Page, 'sortBy' | 'ascending'>;

/** PostgreSQL cannot represent all earlier JavaScript dates, and no post has a time before this one. */
export const earliest = Date.parse('0001-01-01T00:00:00Z');

/** A cursor is valid only for the order in which the list was read. */
export function cursorOf({ id, at }: Place, order: Order): string {
  return Buffer.from(`${nameOf(order)} ${at?.getTime() ?? ''} ${id}`).toString('base64url');
}

export function placeOfCursor(cursor: string, order: Order): Place {
  const [name, time = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const at = time === '' ? null : new Date(Number(time));
  const isTime = at === null ? order.sortBy === 'scheduledTime' : /^-?\d+$/.test(time) && at.getTime() >= earliest;
  if (name !== nameOf(order) || !isTime || !isId(id) || rest.length > 0) throw new Problem('list_cursor_invalid');
  return { at, id };
}

const nameOf = ({ sortBy, ascending }: Order) => `${sortBy}-${ascending ? 'asc' : 'desc'}`;
