import { asCount, asFlag } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call, PlatformAccounts } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { notFound } from './errors.ts';
import { defaultHost, isSmall, servesHost } from './hosts.ts';
import { presentAccount, presentStatus } from './present.ts';
import { authenticate, authenticateIfPresent } from './sign-in/authenticate.ts';
import { isVisibleTo } from './status-read.ts';

const everyScope = 'read write profile';

/** `ann` is on mastodon.social. On other servers, the handle contains the server: `ann@art.mastodon.example`. */
export const accounts: PlatformAccounts = {
  handleRule: 'A handle has up to 30 letters, digits and underscores. It may name a server: ann@art.mastodon.example.',
  normalize(handle) {
    const [name = '', host = defaultHost, ...rest] = handle.trim().replace(/^@/, '').toLowerCase().split('@');
    if (rest.length > 0 || !/^\w{1,30}$/.test(name) || !servesHost(host)) return null;
    return host === defaultHost ? name : `${name}@${host}`;
  },
  describe(handle, { store }) {
    const [username = handle, host = defaultHost] = handle.split('@');
    const id = store.ids.snowflake();
    return {
      id,
      displayName: username,
      avatarUrl: `https://${host}/system/accounts/avatars/${id}/original/avatar.png`,
      profileUrl: `https://${host}/@${username}`,
      data: { host, username },
    };
  },
  credentials(account, { store }, scopes) {
    const { token, scope } = store.tokens.issue({
      platform: 'mastodon',
      accountId: account.id,
      scope: scopes?.join(' ') ?? everyScope,
    });
    return { instance: String(account.data.host), accessToken: token, scope };
  },
};

export function verifyAccount(call: Call): HttpResponse {
  const account = authenticate(call, 'read:accounts', 'profile');
  const source = {
    privacy: 'public',
    sensitive: false,
    language: '',
    note: '',
    fields: [],
    follow_requests_count: 0,
    indexable: false,
    quote_policy: 'public',
  };
  const role = { id: '-99', name: '', permissions: '65536', color: '', highlighted: false };
  return json({ ...presentAccount(call, account), source, role });
}

export function showAccount(call: Call): HttpResponse {
  authenticateIfPresent(call);
  return json(presentAccount(call, findOnHost(call)));
}

/** Newest first. `max_id` and `since_id` page downwards; `min_id` returns the page directly above. */
export function accountStatuses(call: Call): HttpResponse {
  const viewer = authenticateIfPresent(call);
  const account = findOnHost(call);
  if (isSmall(call.host)) return json(firstPage(call, viewer, account));
  const limit = asCount(call.query.get('limit'), 20, 40);
  const [maxId, minId, sinceId] = ['max_id', 'min_id', 'since_id'].map((name) => readId(call.query.get(name)));
  const skipsReplies = asFlag(call.query.get('exclude_replies') ?? '');
  const onlyMedia = asFlag(call.query.get('only_media') ?? '');
  const page: Post[] = [];
  for (const post of call.sandbox.store.posts.newest('mastodon', account.id)) {
    const id = BigInt(post.id);
    if (id <= (minId ?? sinceId ?? 0n)) break;
    const isLeftOut = (skipsReplies && post.inReplyTo !== null) || (onlyMedia && post.media.length === 0);
    if (isLeftOut || (maxId !== undefined && id >= maxId) || !isVisibleTo(viewer, post)) continue;
    page.push(post);
    if (page.length > limit) page.shift();
    else if (page.length === limit && minId === undefined) break;
  }
  const statuses = page.map((post) => presentStatus(call, post));
  return json(statuses, 200, linksOf(call, limit, page));
}

function firstPage(call: Call, viewer: Account | undefined, { id }: Account) {
  const posts = [...call.sandbox.store.posts.newest('mastodon', id)].filter((post) => isVisibleTo(viewer, post));
  return posts.slice(0, 256).map((post) => presentStatus(call, post));
}

function linksOf(call: Call, limit: number, page: readonly Post[]): Record<string, string> {
  const [first, last] = [page.at(0), page.at(-1)];
  if (!first || !last) return {};
  const address = `https://${call.host}${call.path}?limit=${limit}`;
  return { link: `<${address}&max_id=${last.id}>; rel="next", <${address}&min_id=${first.id}>; rel="prev"` };
}

function findOnHost(call: Call): Account {
  const account = call.sandbox.store.accounts.find('mastodon', call.params.id ?? '');
  return account && account.data.host === call.host ? account : notFound();
}

function readId(value: string | null): bigint | undefined {
  return value !== null && /^\d{1,30}$/.test(value) ? BigInt(value) : undefined;
}
