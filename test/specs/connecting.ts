import { createHash, randomUUID } from 'node:crypto';
import { platformClient } from '../../src/platforms/kit/http/client.ts';
import type { Connectable } from '../../src/platforms/kit/index.ts';
import { consent } from '../support/browser/consent.ts';
import type { TestSandbox } from '../support/servers/sandbox.ts';

const redirectUri = 'https://crier.example/connect/callback';

/** The fields that a user fills in before going to the network. */
const fieldsFor: Readonly<Record<string, Record<string, unknown>>> = { mastodon: { instance: 'mastodon.social' } };

/** Connects an account as a person would. */
export async function connectAs({ id, connect }: Connectable, sandbox: TestSandbox) {
  const client = clientOf(id, sandbox);
  if (connect.kind === 'form') {
    const { account, credentials } = await sandbox.account('ann');
    return connect.finish({ ...credentials, handle: account.handle, channel: account.id }, client);
  }
  const codeVerifier = `${randomUUID()}${randomUUID()}`;
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const fields = fieldsFor[id] ?? {};
  const { url, memo = null } = await connect.start({ redirectUri, state: randomUUID(), codeChallenge, fields }, client);
  const back = await consent(sandbox.route(url), { decision: 'allow', handle: 'ann' });
  const code = back.searchParams.get('code') ?? '';
  return connect.finish({ redirectUri, code, codeVerifier, fields, memo }, client);
}

/** Null if the network has nothing to renew. */
export async function refresh<C>({ id, connect }: RefreshableAs<C>, credentials: C, sandbox: TestSandbox) {
  return (await connect.refresh?.(credentials, clientOf(id, sandbox))) ?? null;
}
interface RefreshableAs<C> {
  readonly id: string;
  readonly connect: { refresh?(credentials: C, client: ReturnType<typeof clientOf>): Promise<{ credentials: C }> };
}

const clientOf = (id: string, sandbox: TestSandbox) =>
  platformClient(sandbox.access(), id, new AbortController().signal);
