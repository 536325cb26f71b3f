import { findAccount } from '../accounts.ts';
import { type Answer, json } from '../answer.ts';
import type { JsonObject } from '../json.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Post, RecordedRequest } from '../store/posts.ts';
import { check, flag, InvalidInput, optional, someText } from './check.ts';
import { networkId } from './names.ts';

/** Crier asks this of whatever holds its sandbox port. */
export function health(sandbox: Sandbox): Answer {
  return json({ sandbox: 'crier', networks: sandbox.networks.map((network) => network.id) });
}

export function listPosts(sandbox: Sandbox, input: JsonObject): Answer {
  const { network: id, account: name } = check(input, {
    network: optional(networkId(sandbox)),
    account: optional(someText),
  });
  if (name === undefined) return json(sandbox.store.posts.recorded(id).map((post) => showPost(sandbox, post)));
  const network = sandbox.networks.find((candidate) => candidate.id === id);
  if (!network) throw new InvalidInput('`network` must be given together with `account`.');
  const account = findAccount(sandbox, network, name);
  const posts = account ? sandbox.store.posts.recorded(network.id, account.id) : [];
  return json(posts.map((post) => showPost(sandbox, post)));
}

export function listRequests(sandbox: Sandbox, input: JsonObject): Answer {
  const { network } = check(input, { network: optional(networkId(sandbox)) });
  return json(sandbox.requests.list(network));
}

export function reset(sandbox: Sandbox, input: JsonObject): Answer {
  const { network, keepAccounts = false } = check(input, {
    network: optional(networkId(sandbox)),
    keepAccounts: optional(flag),
  });
  sandbox.store.reset({ network, keepAccounts });
  sandbox.faults.clear(network);
  sandbox.requests.clear(network);
  return json({ ok: true });
}

function showPost({ store }: Sandbox, post: Post & { request: RecordedRequest }) {
  const media = post.media.flatMap((id) => {
    const found = store.media.find(post.network, id);
    return found ? [{ kind: found.kind, bytes: found.bytes, sha256: found.sha256 }] : [];
  });
  return {
    network: post.network,
    account: store.accounts.find(post.network, post.accountId)?.handle ?? post.accountId,
    id: post.id,
    text: post.text,
    media,
    inReplyTo: post.inReplyTo,
    createdAt: new Date(post.createdAt).toISOString(),
    url: post.url,
    request: post.request,
  };
}
