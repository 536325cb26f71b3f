import { createHash, randomBytes } from 'node:crypto';
import type { PlatformAccounts, Sandbox } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { entryway, selfHostedServer, serverOfHandle } from './hosts.ts';
import { cidOfBlob } from './repo/cid.ts';
import { issueTokens } from './sign-in/tokens.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** `ann` becomes `ann.bsky.social`. A handle that ends with `.pds.example.org` has its account on that server. */
export const accounts: PlatformAccounts = {
  handleRule: 'A handle has up to 63 letters, digits and hyphens, and ends with .bsky.social or .pds.example.org.',
  normalize(handle) {
    const name = handle.trim().replace(/^@/, '').toLowerCase();
    const full = name.includes('.') ? name : `${name}.${entryway}`;
    const [label = '', ...domain] = full.split('.');
    const isLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
    return isLabel && [entryway, selfHostedServer].includes(domain.join('.')) ? full : null;
  },
  describe(handle) {
    const [name = handle] = handle.split('.');
    const pds = serverOfHandle(handle);
    // Both kinds of DID occur: those of the PLC directory, and `did:web` for self-hosted accounts.
    const did = pds === selfHostedServer ? `did:web:${handle}` : `did:plc:${randomText(base32, 24)}`;
    const avatar = cidOfBlob(createHash('sha256').update(did).digest('hex'));
    return {
      id: did,
      displayName: name,
      avatarUrl: `https://cdn.bsky.app/img/avatar/plain/${did}/${avatar}@jpeg`,
      profileUrl: `https://bsky.app/profile/${handle}`,
      data: {
        pds,
        email: `${name}@mail.example`,
        // An account with an unconfirmed email address may do everything except upload videos.
        emailConfirmed: !name.startsWith('unverified'),
      },
    };
  },
  credentials(account, sandbox) {
    return {
      pds: `https://${account.data.pds}`,
      did: account.id,
      appPassword: addAppPassword(sandbox, account),
      ...issueTokens(sandbox, account),
    };
  },
};

/** An app password is stored as a token, so revoking all tokens of an account also revokes its app passwords. */
export function addAppPassword({ store }: Sandbox, account: Account): string {
  const token = Array.from({ length: 4 }, () => randomText(letters, 4)).join('-');
  store.tokens.issue({ platform: 'bluesky', accountId: account.id, kind: 'app', scope: 'com.atproto.appPass', token });
  return token;
}

/** `actor` is a DID or a handle. */
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
