import type { output } from 'zod';
import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { type PlatformClient, PlatformError } from '../kit/index.ts';
import { DidDocument, fetchDocument, query, ResolvedHandle } from './api.ts';
import { hasErrorName } from './failure.ts';
import { isDid } from './handle.ts';

/** The permanent id of a handle. `origin` is the server to ask. */
export async function resolveHandle(handle: string, origin: string, ctx: PlatformClient): Promise<string> {
  const { did } = await query(ResolvedHandle, { origin }, 'com.atproto.identity.resolveHandle', { handle }, ctx);
  return did;
}

/** The id of the account that a person entered. */
export async function findAccount(handleOrDid: string, origin: string, ctx: PlatformClient): Promise<string> {
  if (isDid(handleOrDid)) return handleOrDid;
  try {
    return await resolveHandle(handleOrDid, origin, ctx);
  } catch (error) {
    // Servers that have to ask another one return InvalidRequest.
    if (!hasErrorName(error, 'HandleNotFound') && !hasErrorName(error, 'InvalidRequest')) throw error;
    const message = `There is no Bluesky account with the handle ${handleOrDid}. Check the spelling.`;
    throw new PlatformError('rejected', message, { reason: error.reason });
  }
}

/** The server that hosts the account, according to the account's public document. The password is sent only there. */
export async function findPds(did: string, ctx: PlatformClient): Promise<string> {
  if (!isDid(did)) throw noServer(did);
  const pds = pdsIn(await fetchDocument(DidDocument, documentUrl(did), ctx), did);
  if (!pds) throw noServer(did);
  return pds;
}

/**
 * The current server of an account that has moved, according to its old server. Only the public document decides: a
 * server must not redirect the password to a server of its choice.
 */
export async function findMovedPds(
  { pds, did }: { pds: string; did: string },
  said: string | null,
  ctx: PlatformClient,
) {
  if (said === null || said === pds) return pds;
  return findPds(did, ctx).catch((error: unknown) => {
    if (error instanceof PlatformError && !ctx.signal.aborted) return pds;
    throw error;
  });
}

export function pdsIn({ id, service }: output<typeof DidDocument>, did: string): string | null {
  const endpoint = service.find((entry) => entry.id.endsWith('#atproto_pds'))?.serviceEndpoint;
  // Without encryption, anyone on the network path could read the password.
  if (id !== did || endpoint === undefined || !/^https:/.test(endpoint)) return null;
  return parseUrl(endpoint)?.origin ?? null;
}

function documentUrl(did: string): string {
  const host = /^did:web:(.+)$/.exec(did)?.[1];
  return host ? `https://${host}/.well-known/did.json` : `https://plc.directory/${did}`;
}

const noServer = (did: string) =>
  new PlatformError('rejected', 'Crier could not find the server that hosts the Bluesky account. Check the account.', {
    reason: did,
  });
