import { findAccount } from '../accounts.ts';
import { type HttpResponse, json } from '../http/http-response.ts';
import type { JsonObject } from '../http/json.ts';
import type { Sandbox } from '../platform.ts';
import type { Post, RecordedRequest } from '../store/posts.ts';
import { check, flag, InvalidInput, optional, someText } from './check.ts';
import { platformId } from './platform-checks.ts';

/** Crier reads this to learn whether the process on its sandbox port is a sandbox. */
export function health(sandbox: Sandbox): HttpResponse {
  return json({ sandbox: 'crier', networks: sandbox.platforms.map(({ id }) => id) });
}

export function listPosts(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const { network: id, account: name } = check(input, {
    network: optional(platformId(sandbox)),
    account: optional(someText),
  });
  if (name === undefined) return json(sandbox.store.posts.recorded(id).map((post) => presentPost(sandbox, post)));
  const platform = sandbox.platforms.find((candidate) => candidate.id === id);
  if (!platform) throw new InvalidInput('`network` must be given together with `account`.');
  const account = findAccount(sandbox, platform, name);
  const posts = account ? sandbox.store.posts.recorded(platform.id, account.id) : [];
  return json(posts.map((post) => presentPost(sandbox, post)));
}

export function listRequests(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const { network } = check(input, { network: optional(platformId(sandbox)) });
  return json(sandbox.requests.list(network).map(({ platform, ...request }) => ({ network: platform, ...request })));
}

export function reset(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const { network: platform, keepAccounts = false } = check(input, {
    network: optional(platformId(sandbox)),
    keepAccounts: optional(flag),
  });
  sandbox.store.reset({ platform, keepAccounts });
  sandbox.faults.clear(platform);
  sandbox.switches.clear(platform);
  sandbox.requests.clear(platform);
  return json({ ok: true });
}

function presentPost({ store }: Sandbox, post: Post & { request: RecordedRequest }) {
  const { platform, accountId, id, text, inReplyTo, createdAt, url, request } = post;
  const media = post.media.flatMap((mediaId) => {
    const found = store.media.find(platform, mediaId);
    if (!found) return [];
    const { kind, bytes, sha256, description } = found;
    return [{ kind, bytes, sha256, ...(description !== null && { altText: description }) }];
  });
  return {
    network: platform,
    account: store.accounts.find(platform, accountId)?.handle ?? accountId,
    id,
    text,
    media,
    inReplyTo,
    createdAt: new Date(createdAt).toISOString(),
    url,
    request,
  };
}
