import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { seal, unseal } from '../../../foundation/lib/seal.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { findLinkByHash, type LinkedUser, type LinkRow, lockManagedUser, selectLink, upsertLink } from './queries.ts';

/** A link to the page where the client behind a managed user connects accounts. */
export interface ConnectionLink {
  url: string;
  expiresAt: Date;
}

/**
 * Returns the user's link while it is valid. Otherwise, or with `rotate`, creates a new one, and the previous one
 * stops working.
 */
export async function linkFor(
  app: Pick<App, 'publicUrl' | 'sealingKeys'> & Pick<App, 'clock'>,
  tx: Db,
  userId: string,
  { expiresInDays, rotate }: { expiresInDays: number; rotate: boolean },
): Promise<ConnectionLink & { isNew: boolean }> {
  const now = app.clock.now();
  const current = rotate ? null : openLink(app, userId, await selectLink(tx, userId, now));
  if (current) return { ...current, isNew: false };
  const token = newSecret();
  const expiresAt = daysAfter(now, expiresInDays);
  const sealed = seal(token, sealingContext(userId), app.sealingKeys);
  await upsertLink(tx, userId, { tokenHash: hashSecret(token), token: sealed, expiresAt }, now);
  return { url: urlOf(app, token), expiresAt, isNew: true };
}

/** The managed user for whom a link connects accounts. */
export interface LinkHolder extends LinkedUser {
  /** Distinguishes this link from a later one of the same user. */
  linkHash: Buffer;
}

/** Null if the link has expired, was revoked or replaced, or if the user or its owner is inactive or on hold. */
export async function holderOfLink(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  token: string,
): Promise<LinkHolder | null> {
  const linkHash = hashSecret(token);
  const found = await findLinkByHash(db, linkHash, clock.now());
  return found && { ...found, linkHash };
}

/**
 * Until the transaction ends, the link can be neither revoked nor replaced, and the user cannot leave the workspace.
 */
export async function requireLiveLink({ clock }: Pick<App, 'clock'>, tx: Db, userId: string, linkHash: Buffer) {
  await lockManagedUser(tx, null, userId);
  const found = await findLinkByHash(tx, linkHash, clock.now());
  if (found?.userId !== userId) throw new Problem('connection_link_invalid');
}

/** Null if there is no link, or if it was sealed with a key that no longer exists. */
export function openLink(
  app: Pick<App, 'publicUrl' | 'sealingKeys'>,
  userId: string,
  link: LinkRow | null,
): ConnectionLink | null {
  if (!link) return null;
  try {
    return { url: urlOf(app, unseal(link.token, sealingContext(userId), app.sealingKeys)), expiresAt: link.expiresAt };
  } catch {
    return null;
  }
}

const urlOf = ({ publicUrl }: Pick<App, 'publicUrl' | 'sealingKeys'>, token: string) => `${publicUrl}/connect/${token}`;

const sealingContext = (userId: string) => `connection link ${userId}`;

const dayMs = 24 * 3_600_000;
/** The last time that a timestamp with a four-digit year can represent. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const daysAfter = (now: Date, days: number) => new Date(Math.min(now.getTime() + Math.ceil(days * dayMs), endOfTime));
