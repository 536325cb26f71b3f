import type { output } from 'zod';
import { type PlatformClient, PlatformError } from '../kit/index.ts';
import { DidDocument, fetchDocument, query, ResolvedHandle } from './api.ts';
import { isRefusal } from './failure.ts';
import { isDid } from './handle.ts';

/** From the name that people know to the id that stays. `origin` is the server to ask. */
export async function resolveHandle(handle: string, origin: string, ctx: PlatformClient): Promise<string> {
  const { did } = await query(ResolvedHandle, { origin }, 'com.atproto.identity.resolveHandle', { handle }, ctx);
  return did;
}

/** Which account is meant; fails in words for the person who typed it. */
export async function findAccount(handleOrDid: string, origin: string, ctx: PlatformClient): Promise<string> {
  if (isDid(handleOrDid)) return handleOrDid;
  try {
    return await resolveHandle(handleOrDid, origin, ctx);
  } catch (error) {
    // Servers that have to ask another one name no reason.
    if (!isRefusal(error, 'HandleNotFound') && !isRefusal(error, 'InvalidRequest')) throw error;
    const message = `There is no Bluesky account with the handle ${handleOrDid}. Check how it is written.`;
    throw new PlatformError('rejected', message, { reason: (error as PlatformError).reason ?? undefined });
  }
}

/** The server that holds the account, by the account's own public document. A password may go there, and nowhere else. */
export async function findPds(did: string, ctx: PlatformClient): Promise<string> {
  if (!isDid(did)) throw noServer(did);
  const pds = pdsIn(await fetchDocument(DidDocument, addressOfDocument(did), ctx), did);
  if (!pds) throw noServer(did);
  return pds;
}

export function pdsIn({ id, service }: output<typeof DidDocument>, did: string): string | null {
  const endpoint = service.find((entry) => entry.id.endsWith('#atproto_pds'))?.serviceEndpoint;
  if (id !== did || typeof endpoint !== 'string' || !/^https?:/.test(endpoint)) return null;
  return URL.parse(endpoint)?.origin ?? null;
}

function addressOfDocument(did: string): string {
  const host = /^did:web:(.+)$/.exec(did)?.[1];
  return host ? `https://${host}/.well-known/did.json` : `https://plc.directory/${did}`;
}

const noServer = (did: string) =>
  new PlatformError('rejected', 'The Bluesky account names no server that holds it.', { reason: did });
