import type { Account } from '../../../store/accounts.ts';
import { isPage } from '../members.ts';

export function urnOf(account: Account): string {
  return `urn:li:${isPage(account) ? 'organization' : 'person'}:${account.id}`;
}

/** Undefined when the URN is of another kind. */
export function idIn(urn: string, kind: string): string | undefined {
  const prefix = `urn:li:${kind}:`;
  return urn.startsWith(prefix) && urn.length > prefix.length ? urn.slice(prefix.length) : undefined;
}

export function activityUrn(activityId: string): string {
  return `urn:li:activity:${activityId}`;
}

export function commentUrn(activityId: string, commentId: string): string {
  return `urn:li:comment:(${activityUrn(activityId)},${commentId})`;
}

/** `urn:li:comment:(urn:li:activity:1,2)` contains the thread `urn:li:activity:1` and the comment id `2`. */
export function readCommentUrn(urn: string): { thread: string; commentId: string } | undefined {
  const [, thread, commentId] = /^urn:li:comment:\((urn:li:\w+:\d+),(\d+)\)$/.exec(urn) ?? [];
  return thread !== undefined && commentId !== undefined ? { thread, commentId } : undefined;
}
