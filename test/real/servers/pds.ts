import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server for accounts of Bluesky, and a directory of them. */
export interface PdsServer extends AsyncDisposable {
  /** Where it listens, without encryption. */
  readonly pds: string;
  readonly directory: string;
  addUser(handle: string): Promise<PdsUser>;
  /** The posts of all accounts, as the server has stored them. */
  posts(): Promise<{ uri: string; text: string }[]>;
  freeze(): void;
  thaw(): void;
}

export interface PdsUser {
  did: string;
  handle: string;
  password: string;
  appPassword: string;
}

/** `host`: the name by which others know it. */
export async function startPds(host = 'localhost'): Promise<PdsServer> {
  const script = new URL('pds.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, host], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LOG_ENABLED: 'false' },
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const { pds = '', directory = '' }: Record<string, string> = JSON.parse(line);
    return {
      pds,
      directory,
      addUser: (handle) => addUser(pds, handle),
      posts: () => allPosts(pds),
      freeze: () => void child.kill('SIGSTOP'),
      thaw: () => void child.kill('SIGCONT'),
      async [Symbol.asyncDispose]() {
        child.stdin.end();
        await ended;
      },
    };
  }
  throw new Error("Bluesky's server did not start.");
}

export async function addUser(pds: string, handle: string): Promise<PdsUser> {
  const password = randomUUID();
  const email = `${handle.replace('.', '@')}.example`;
  const { did, accessJwt } = await ask(pds, 'com.atproto.server.createAccount', { handle, email, password });
  const made = await ask(pds, 'com.atproto.server.createAppPassword', { name: 'crier' }, accessJwt);
  return { did, handle, password, appPassword: made.password };
}

async function allPosts(pds: string) {
  const { repos } = await ask(pds, 'com.atproto.sync.listRepos?limit=500');
  const lists = repos.map(async ({ did: repo }: { did: string }) => {
    const query = new URLSearchParams({ repo, collection: 'app.bsky.feed.post', limit: '100' });
    const { records } = await ask(pds, `com.atproto.repo.listRecords?${query}`);
    return records.map(({ uri, value }: { uri: string; value: { text: string } }) => ({ uri, text: value.text }));
  });
  return (await Promise.all(lists)).flat();
}

/** A call to the server, past everything that the tests are about. */
export async function ask(pds: string, name: string, body?: object, token?: string) {
  const response = await fetch(`${pds}/xrpc/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return JSON.parse(await response.text());
}
