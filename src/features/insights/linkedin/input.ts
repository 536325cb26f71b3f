import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';

/** A body or query as it was sent. Each reader below throws the contract's error for its field. */
export type Input = Readonly<Record<string, unknown>>;

export const isMissing = (value: unknown) => value === undefined || value === null;
export const isEmpty = (value: unknown) => isMissing(value) || value === '';

/** The account's id in `linkedin-<id>`. */
export function readAccountId(platformId: unknown): string {
  const id = /^linkedin-([^\s/?#]+)$/.exec(readString(platformId, 'linkedin_platform_id_not_string'))?.[1];
  if (!id) throw new Problem('linkedin_platform_id_invalid');
  return id;
}

export function readPostUrn(postedId: unknown): string {
  if (typeof postedId === 'string' && /^urn:li:(share|ugcPost|activity):\d+$/.test(postedId)) return postedId;
  throw new Problem('linkedin_post_urn_invalid');
}

export function readString(value: unknown, otherwise: ProblemKey): string {
  if (typeof value !== 'string') throw new Problem(otherwise);
  return value;
}
