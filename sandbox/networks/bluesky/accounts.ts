import { createHash, randomBytes } from 'node:crypto';
import type { NetworkAccounts } from '../../network.ts';
import type { Sandbox } from '../../sandbox.ts';
import type { Account } from '../../store/accounts.ts';
import { cidOfBlob } from './cid.ts';
import { entryway, otherServer, serverOf } from './hosts.ts';
import { openSession } from './tokens.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `ann` is `ann.bsky.social`; whoever ends with `.pds.example.org` lives on that other server. */
export const accounts: NetworkAccounts = {
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    const full = name.includes('.') ? name : `${name}.${entryway}`;
    const [label = '', ...domain] = full.split('.');
    const isLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
    return isLabel && [entryway, otherServer].includes(domain.join('.')) ? full : null;
  },
  describe(handle) {
    const [name = handle] = handle.split('.');
    const pds = serverOf(handle);
    // Both kinds of DID are in use: the directory's, and a web address of one's own.
    const did = pds === otherServer ? `did:web:${handle}` : `did:plc:${randomText(base32, 24)}`;
    const picture = cidOfBlob(createHash('sha256').update(did).digest('hex'));
    return {
      id: did,
      displayName: name,
      avatarUrl: `https://cdn.bsky.app/img/avatar/plain/${did}/${picture}@jpeg`,
      profileUrl: `https://bsky.app/profile/${handle}`,
      data: {
        pds,
        email: `${name}@mail.example`,
        // People who have not confirmed their address may do everything but upload videos.
        emailConfirmed: !name.startsWith('unverified'),
      },
    };
  },
  credentials(account, sandbox) {
    return {
      pds: `https://${account.data.pds}`,
      did: account.id,
      appPassword: addAppPassword(sandbox, account),
      ...openSession(sandbox, account),
    };
  },
};

/** Kept as a token of its own: revoking all tokens of an account revokes its app passwords, too. */
export function addAppPassword({ store }: Sandbox, account: Account): string {
  const token = Array.from({ length: 4 }, () => randomText(letters, 4)).join('-');
  store.tokens.issue({ network: 'bluesky', accountId: account.id, kind: 'app', scope: 'com.atproto.appPass', token });
  return token;
}

/** By DID or handle. */
export function findActor({ store }: Sandbox, actor: string): Account | undefined {
  const handle = accounts.normalize(actor);
  return (
    store.accounts.find('bluesky', actor) ??
    (handle === null || !actor.includes('.') ? undefined : store.accounts.findByHandle('bluesky', handle))
  );
}

function randomText(characters: string, length: number): string {
  return Array.from(randomBytes(length), (byte) => characters[byte % characters.length]).join('');
}
