import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { descriptionOf } from '../../../platforms/descriptions.ts';
import type { Description } from '../../../platforms/kit/description.ts';
import type { Limits } from '../../../platforms/kit/limits.ts';
import { type KnownConnection, type Who, whoIs } from '../../auth/access/api-key.ts';
import { allowedPlatforms, limitExceeded } from '../../users/quotas.ts';
import { splitPlatformId } from '../platform-ids.ts';

/** A connection that a post is published to, with the description of its platform and the limits of its account. */
export interface Target {
  /** The id is null if the account is no longer connected. A draft may still refer to it. */
  readonly connection: Omit<KnownConnection, 'id'> & { readonly id: string | null; readonly isCompanyPage?: boolean };
  readonly platformId: string;
  readonly description: Description;
  readonly limits: Limits;
}

/** The given connections of this user, in order. Throws if one does not exist, unless it `mayBeGone`. */
export async function findTargets(
  app: Pick<App, 'db'>,
  who: Who,
  platformIds: readonly string[],
  mayBeGone: readonly string[] = [],
): Promise<Target[]> {
  const known = match(who.connections, platformIds);
  if (!known.includes(null)) return known as Target[];
  // The connection may be newer than the ones cached with the API key.
  const { connections } = await whoIs(app.db, who.userId);
  const gone = new Set(mayBeGone);
  const fresh = match(connections, platformIds).map((target, index) => target ?? goneTarget(platformIds[index]!, gone));
  const missing = platformIds.filter((_, index) => fresh[index] === null);
  if (missing.length === 0) return fresh as Target[];
  throw new Problem('platform_connection_invalid', {
    error: `Invalid platform connection(s): ${missing.join(', ')}. Check connected accounts or call GET /platform-connections.`,
    invalidPlatforms: missing,
  });
}

function match(connections: readonly KnownConnection[], platformIds: readonly string[]): (Target | null)[] {
  const byId = new Map(connections.map((connection) => [`${connection.platform}-${connection.accountId}`, connection]));
  return platformIds.map((platformId) => {
    const connection = byId.get(platformId);
    const description = connection && descriptionOf(connection.platform);
    if (!connection || !description) return null;
    return {
      connection: { ...connection, isCompanyPage: connection.traits.isCompanyPage === true },
      platformId,
      description,
      limits: description.limitsFor?.(connection.traits) ?? description.limits,
    };
  });
}

function goneTarget(platformId: string, mayBeGone: ReadonlySet<string>): Target | null {
  const { platform, accountId } = splitPlatformId(platformId)!;
  const description = descriptionOf(platform);
  if (!description || !mayBeGone.has(platformId)) return null;
  const connection = { id: null, platform, accountId, handle: '', traits: {} };
  return { connection, platformId, description, limits: description.limits };
}

/** Checked for drafts as well: a platform that is not in the plan cannot be used at all. */
export function requireAvailable(who: Who, targets: readonly Target[]) {
  const allowed = allowedPlatforms(who.plan);
  const disallowed = targets
    .map(({ connection }) => connection.platform)
    .filter((platform) => allowed && !allowed.includes(platform));
  if (disallowed.length > 0) throw limitExceeded('PLATFORM_NOT_AVAILABLE', { plan: who.plan, disallowed });
}

/** The values that first comments are checked against. */
export const commentTarget = ({ connection, limits, description }: Target) => ({
  platform: connection.platform,
  premium: limits.text.max > description.limits.text.max,
});

/** A target for trying out requests, without a connection. The post is checked and acknowledged but not stored. */
export const playground = 'service-playground' as const;
