import { hash } from 'node:crypto';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { type Plan, type PlanKey, plans } from '../../../config/plans.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { apiKeyLength } from '../../../foundation/errors/mcp.ts';
import type { Common } from '../../../foundation/http/openapi/openapi.ts';
import { isWrite, type Scope, scopeNames, scopeOf } from '../../../foundation/http/scopes.ts';
import { isInRanges } from '../../../foundation/lib/address-ranges.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { clockedCache } from '../../../foundation/time/clocked-cache.ts';
import { requireNoHold } from '../../users/hold.ts';
import { requireStaying } from '../../users/leaving.ts';
import {
  type Access,
  findAccess,
  findAccessOfKey,
  findUserAccess,
  type KeyAccess,
  type KnownConnection,
} from './queries.ts';

export type { KnownConnection } from './queries.ts';

/** A session or an API key, with everything that determines its permissions. */
export type Credential = SessionCredential | KeyCredential;
export interface SessionCredential {
  readonly userId: string;
  readonly sessionId: string;
}
export interface KeyCredential {
  readonly userId: string;
  readonly keyId: string;
  readonly scope: Scope;
  readonly client: string;
  readonly ip: string;
  /** The managed user named in the request. */
  readonly actAs: string | null;
}

/** The user that a request acts for, with that user's plan and connections. */
export interface Who {
  readonly userId: string;
  /** The user whose plan and limits count: the owner of a managed user, otherwise the user. */
  readonly ownerId: string;
  readonly plan: PlanKey;
  /** No one chose the plan for this user: it is the default plan of new accounts. */
  readonly planIsDefault: boolean;
  /** The number of connections that the owner bought. Null if the plan decides. */
  readonly connectionQuantity: number | null;
  /** The accounts that the user can post to. */
  readonly connections: readonly KnownConnection[];
  /** The features that the plan includes and no operator has disabled. */
  readonly features: Plan['features'];
  readonly client: string;
  /** Which switches of an operator the users must have on for whom the request reads. None for a session. */
  readonly needs: readonly ('api' | 'mcp')[];
  /** The part of the key before the dot, which is not secret. Null if the request has no key. */
  readonly keyPrefix: string | null;
  /** The credential that authorized the request. Null for an admin command or our own code. */
  readonly credential: Credential | null;
  /**
   * The owner of the workspace that the key or session gives access to: its user, regardless of the user that the
   * request acts for. Null if it gives access to none. A managed user's own key has the same `ownerId`, but never
   * manages users.
   */
  readonly workspaceOwnerId: string | null;
}

export const managedUserHeader = z.looseObject({
  'x-service-user-id': z
    .string()
    .optional()
    .describe('The id of the managed user to act as. Requires a key with workspace access.'),
});

/** The errors and headers of every route behind an API key (contract.md#conventions, contract.md#auth). */
export const apiKeyAccess: Common = {
  security: ['apiKey'],
  problems: [
    'api_key_required',
    'invalid_api_key',
    'invalid_api_key_owner',
    'address_not_allowed',
    'insufficient_scope',
    'api_access_disabled',
    'mcp_access_disabled',
    'account_being_deleted',
    'invalid_service_user_id',
    'user_not_managed',
    'workspace_disabled',
    'rate_limit_exceeded',
  ],
  headers: managedUserHeader.extend({
    'x-service-client': z
      .string()
      .optional()
      .describe('Identifies the client. Default `api`; `mcp` requires MCP access.'),
  }),
};

declare module 'fastify' {
  interface FastifyRequest {
    who: Who;
    /** When the credential was verified. */
    letInAt?: Date;
    /** The owner of the key in the request, set even if the key is rejected. */
    keyHolder?: KeyHolder;
  }
}

export interface KeyHolder {
  readonly userId: string;
  /** The owner of a managed user, otherwise the user. */
  readonly ownerId: string;
  readonly keyId: string;
  /** The part of the key before the dot, which is not secret. */
  readonly keyPrefix: string;
  /** The key has fewer permissions than its user. */
  readonly isLimited: boolean;
  /** Bodies of calls with the key are stored until then. */
  readonly bodiesUntil: Date | null;
}

/** Requires a valid `x-service-key` and sets `request.who`. */
export function requireApiKey(app: Pick<App, 'db' | 'clock' | 'listener'>): onRequestAsyncHookHandler {
  const lookUp = cachedAccess(app);
  return async (request) => {
    const key = header(request, 'x-service-key');
    if (!key) throw new Problem('api_key_required', misplacedKeyHint(request));
    if (!looksLikeKey(key)) throw new Problem('invalid_api_key');
    const actAs = header(request, 'x-service-user-id');
    const access = await lookUp(key, knownId(actAs));
    if (!access) throw new Problem('invalid_api_key');
    request.keyHolder = holderOf(access);
    request.letInAt = app.clock.now();
    request.who = whoByKey(access, useOf(request, actAs, access), request.letInAt);
    if (isWrite(request.method, request.routeOptions.config)) requireStaying(access);
  };
}

const knownId = (actAs: string | null) => (actAs !== null && isId(actAs) ? actAs : null);

const useOf = (
  request: FastifyRequest,
  actAs: string | null,
  { keyUserId: userId, keyId }: KeyAccess,
): KeyCredential => {
  const { method, routeOptions, ip } = request;
  const client = header(request, 'x-service-client') ?? 'api';
  return { userId, keyId, scope: scopeOf(method, routeOptions.config), client, ip, actAs };
};

/** The `Who` of a key. Throws if the key does not allow the request. */
function whoByKey(access: KeyAccess, use: KeyCredential, now: Date): Who {
  requireUsable(access, use.ip, now);
  // A key for the MCP server is used by an agent, whatever its requests say.
  const needs: Who['needs'] = use.client === 'mcp' || access.isForMcp ? ['api', 'mcp'] : ['api'];
  const who = { ...whoFor(access, use.actAs, use.client, use), needs };
  if (!who.features.apiAccess) throw new Problem('api_access_disabled');
  if (needs.includes('mcp') && !who.features.mcpAccess) throw new Problem('mcp_access_disabled');
  requireScope(access, use.scope);
  if (who.userId !== access.keyUserId) requireScope(access, 'workspace');
  return access.scopes.includes('workspace') ? who : { ...who, workspaceOwnerId: null };
}

/** Like `whoByKey`, for a key that has already authorized a request. Uses the current state in the database. */
export async function whoByKeyNow(db: Db, use: KeyCredential, now: Date): Promise<Who> {
  const access = await findAccessOfKey(db, use.keyId, knownId(use.actAs));
  if (!access) throw new Problem('invalid_api_key');
  return whoByKey(access, use, now);
}

const holderOf = ({
  keyUserId,
  ownerId,
  keyId,
  keyPrefix,
  bodiesUntil,
  scopes,
  expiresAt,
  allowedAddresses,
}: KeyAccess) => ({
  userId: keyUserId,
  ownerId: ownerId ?? keyUserId,
  keyId,
  keyPrefix,
  bodiesUntil,
  isLimited: expiresAt !== null || allowedAddresses.length > 0 || scopeNames.some((scope) => !scopes.includes(scope)),
});

/** A cached access can expire, and the address differs between requests, so both are checked every time. */
function requireUsable({ expiresAt, allowedAddresses }: KeyAccess, ip: string, now: Date) {
  if (expiresAt && expiresAt <= now) {
    const hint = `This key expired at ${expiresAt.toISOString()}. Create a new one with POST /auth/api-keys.`;
    throw new Problem('invalid_api_key', { hint });
  }
  if (allowedAddresses.length > 0 && !isInRanges(ip, allowedAddresses)) {
    throw new Problem('address_not_allowed', { address: ip });
  }
}

function requireScope({ scopes }: KeyAccess, scope: Scope) {
  if (scopes.includes(scope)) return;
  const error = `This API key does not have the scope "${scope}"`;
  throw new Problem('insufficient_scope', { error, requiredScope: scope });
}

/** The `Who` of a user without an API key: an admin command or our own code. */
export async function whoIs(db: Db, userId: string): Promise<Who> {
  const access = await findUserAccess(db, userId, null);
  if (!access) throw new Problem('user_not_found');
  return whoFor(access, null, 'api', null);
}

/** The `Who` of a dashboard user, who may act for a managed user like a key can, unless that user is on hold. */
export async function whoIsSignedIn(app: Pick<App, 'clock'>, db: Db, request: FastifyRequest): Promise<Who> {
  const { userId, sessionId } = request.session;
  const { method, routeOptions } = request;
  const isChange = isWrite(method, routeOptions.config);
  return whoBySession(app, db, { userId, sessionId }, header(request, 'x-service-user-id'), isChange);
}

export async function whoBySession(
  app: Pick<App, 'clock'>,
  db: Db,
  credential: SessionCredential,
  actAs: string | null,
  isChange = false,
): Promise<Who> {
  const access = await findUserAccess(db, credential.userId, knownId(actAs));
  if (!access) throw new Problem('session_required');
  const who = whoFor(access, actAs, 'dashboard', credential);
  if (isChange) requireStaying(access);
  if (who.userId !== access.keyUserId) await requireNoHold(app, db, who.userId);
  return who;
}

/** Checked before any query (contract.md#auth.shape-check). */
export const looksLikeKey = (key: string) =>
  key.length >= apiKeyLength.min && key.length <= apiKeyLength.max && /^sk_(?=[^.]*\.)[A-Za-z0-9._-]+$/.test(key);

export const hashKey = (key: string) => hash('sha256', key, 'buffer');

function whoFor(
  access: Access & Partial<KeyAccess>,
  actAs: string | null,
  client: string,
  credential: Credential | null,
): Who {
  if (!access.ownerActive) throw new Problem('invalid_api_key_owner');
  if (actAs !== null && !isId(actAs)) throw new Problem('invalid_service_user_id');
  const userId = actAs?.toLowerCase() ?? access.keyUserId;
  if (userId !== access.keyUserId) {
    if (!access.workspaceEnabled) throw new Problem('workspace_disabled');
    if (!access.managed) throw new Problem('user_not_managed');
  }
  const { plan, planIsDefault, connectionQuantity, connections, keyPrefix = null } = access;
  const ownerId = access.ownerId ?? access.keyUserId;
  return {
    userId,
    ownerId,
    plan,
    planIsDefault,
    connectionQuantity,
    connections,
    features: featuresOf(access),
    client,
    needs: [],
    keyPrefix,
    credential,
    workspaceOwnerId: access.workspaceEnabled && access.ownerId === null ? access.keyUserId : null,
  };
}

function featuresOf({ plan, apiAccess, mcpAccess }: Access): Plan['features'] {
  const { features } = plans[plan];
  return { ...features, apiAccess: features.apiAccess && apiAccess, mcpAccess: features.mcpAccess && mcpAccess };
}

const cacheTtlMs = 5_000;

/**
 * A key that was used in the last few seconds costs no query. The database notifies every process when a key or a
 * user changes. Nothing is cached while the listening connection is down, so a revoked key stops working immediately.
 */
function cachedAccess({ db, clock, listener }: Pick<App, 'db' | 'clock' | 'listener'>) {
  const cache = clockedCache<KeyAccess>(clock, { max: 10_000, ttlMs: cacheTtlMs });
  let generation = 0;
  const clearCache = () => {
    generation += 1;
    cache.clear();
  };
  listener.on('access_changed', clearCache);
  listener.onGap(clearCache);

  return async (key: string, actAs: string | null): Promise<KeyAccess | null> => {
    const keyHash = hashKey(key);
    const name = `${keyHash.toString('base64')} ${actAs ?? ''}`;
    const cached = cache.get(name);
    if (cached) return cached;
    const generationBefore = generation;
    const now = clock.now();
    const access = await findAccess(db, keyHash, actAs, now);
    const isCurrent = generation === generationBefore && listener.connected;
    if (access && isCurrent) cache.set(name, access, { start: now.getTime() });
    return access;
  };
}

/** For clients that send the key where other services expect it. */
function misplacedKeyHint(request: FastifyRequest) {
  const sent = ['authorization', 'x-api-key', 'api-key'].find((name) => header(request, name) !== null);
  if (sent === undefined) return {};
  return { hint: `Send the API key in the header x-service-key. This route ignores the header ${sent}.` };
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
