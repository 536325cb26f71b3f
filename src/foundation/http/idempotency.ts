import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { retryTransient } from '../db/retry-transient.ts';
import { Problem } from '../errors/index.ts';
import { keyTooLong, requestLimits } from '../errors/requests.ts';
import type { Json } from '../lib/json.ts';
import type { Clock } from '../time/clock.ts';

/** A request with an `Idempotency-Key`. A retry has the same resource and body. */
export interface Retryable {
  userId: string;
  key: string;
  /** The route, and the id of the object it acts on. */
  resource: string;
  body: unknown;
  /** Called if the response is a stored one. */
  onReplay?(): void;
}

/** A key whose request is in progress. */
export interface ClaimedKey {
  readonly userId: string;
  readonly key: string;
  /** A request that takes over the key gets a different token. */
  readonly token: string;
}

/**
 * Stores the response, an SQL expression of type jsonb, under the key. Run it in the transaction or statement of the
 * effect, so that both commit or neither does. It returns one row. No row means that another request has taken over the
 * key, so the effect must not happen.
 */
export const storeAnswer = ({ userId, key, token }: ClaimedKey, answer: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`update idempotency_keys set answer = ${answer}
    where user_id = ${userId} and key = ${key} and claim_token = ${token} returning 1`;

const staleAfterMs = 3 * 60_000;
const keepForMs = 24 * 3_600_000;
const maxDepth = 200;

/**
 * Runs `effect` once per key: a retry gets the first response. Without a key it always runs. An effect that fails frees
 * its key immediately. If the process dies, the key is free after three minutes.
 */
export async function once<T extends Json>(
  { db, clock }: { db: Db; clock: Clock },
  request: Retryable | null,
  effect: (claimedKey: ClaimedKey | null) => Promise<T>,
): Promise<T> {
  if (!request) return effect(null);
  const claim = { ...request, fingerprint: fingerprint(request), token: randomUUID() };
  const earlier = await claimKey(db, claim, clock.now());
  // The fingerprint proves that it is the same request, so the stored response has the type of this route.
  if (earlier) {
    request.onReplay?.();
    return earlier.answer as T;
  }
  try {
    return await effect(claim);
  } catch (error) {
    await freeKey(db, claim).catch(() => freeLater(db, claim));
    throw error;
  }
}

/** The header schema of routes that accept a key. */
export const IdempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      `At most ${requestLimits.idempotencyKeyLength} characters that identify this request for 24 hours. A retry with the ` +
        'same key and body returns the first response, with the header `idempotent-replayed: true`, and has no further effect.',
    ),
});

/** Null if the request has no key. The body counts as sent, including fields unknown to the schema. */
export function retryable(
  request: FastifyRequest,
  resource: string,
  maxLength: number = requestLimits.idempotencyKeyLength,
): Retryable | null {
  const { who, headers, sentBody } = request;
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') return null;
  if (Array.isArray(key)) throw new Problem('idempotency_key_invalid');
  requireKeyLength(key, maxLength);
  const onReplay = () => {
    request.isReplay = true;
  };
  return { userId: who.userId, key, resource, body: sentBody, onReplay };
}

export function requireKeyLength(key: string, maxLength: number = requestLimits.idempotencyKeyLength) {
  if (key.length > maxLength) throw new Problem('idempotency_key_invalid', { error: keyTooLong(maxLength) });
}

/** Marks a replayed response with a header, so a client can distinguish a replay from a second effect. */
export function markReplays(server: FastifyInstance) {
  server.addHook('onSend', ({ isReplay }, reply, payload, done) => {
    if (isReplay) reply.header('idempotent-replayed', 'true');
    done(null, payload);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body before validation removed unknown fields. */
    sentBody: unknown;
    /** The response was stored for an earlier request with the same key. */
    isReplay?: boolean;
  }
}

interface Claim extends Retryable {
  fingerprint: Buffer;
  token: string;
}

/** Claims the key, or returns the stored response. Replaces a stale claim, or a response older than a day. */
async function claimKey(db: Db, claim: Claim, now: Date): Promise<{ answer: Json } | null> {
  const { rows } = await sql<{ ours: boolean; same: boolean; answer: Json | null }>`
    with taken as (
      insert into idempotency_keys as stored (user_id, key, fingerprint, claim_token, claimed_at)
      values (${claim.userId}, ${claim.key}, ${claim.fingerprint}, ${claim.token}, ${now})
      on conflict (user_id, key) do update
        set fingerprint = excluded.fingerprint, claim_token = excluded.claim_token, claimed_at = excluded.claimed_at, answer = null
        where stored.claimed_at <= ${new Date(now.getTime() - keepForMs)}
          or (stored.answer is null and stored.claimed_at <= ${new Date(now.getTime() - staleAfterMs)})
      returning 1
    )
    select true as ours, true as same, null::jsonb as answer from taken
    union all
    select false, fingerprint = ${claim.fingerprint}, answer from idempotency_keys
    where user_id = ${claim.userId} and key = ${claim.key} and not exists (select from taken)`.execute(db);
  const [stored] = rows;
  if (stored?.ours) return null;
  // No row: the request that held the claim has just failed and freed the key.
  if (!stored) throw new Problem('idempotency_in_flight');
  if (!stored.same) throw new Problem('idempotency_conflict');
  if (stored.answer === null) throw new Problem('idempotency_in_flight');
  return { answer: stored.answer };
}

const freeKey = (db: Db, { userId, key, token }: Claim) =>
  db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('claim_token', '=', token)
    .where('answer', 'is', null)
    .execute();

/**
 * A failover aborts the effect and would leave its key claimed for minutes, so free it once the database is back. The
 * caller does not wait for this. If the effect was committed after all, it has stored its response and keeps its key.
 */
function freeLater(db: Db, claim: Claim) {
  // If the database stays unreachable, or the process stops, the key is free after three minutes.
  retryTransient(() => freeKey(db, claim)).catch(() => {});
}

const fingerprint = ({ resource, body }: Retryable) =>
  createHash('sha256').update(`${resource}\n`).update(canonical(body, 0)).digest();

/** JSON with sorted keys, because key order has no meaning. */
function canonical(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new Problem('idempotency_too_complex');
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, depth + 1)}`).join(',')}}`;
}

export async function deleteOldKeys(db: Db, before: Date | null, signal?: AbortSignal) {
  if (before === null) return;
  await deleteInBatches(
    (limit) =>
      sql`delete from idempotency_keys where (user_id, key) in (
        select user_id, key from idempotency_keys where claimed_at <= ${before} limit ${limit})`.execute(db),
    signal,
  );
}
