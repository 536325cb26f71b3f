import { type Answer, json } from '../../answer.ts';
import { asFlag } from '../../fields.ts';
import { noObject } from '../../graph/errors.ts';
import { readInput } from '../../graph/input.ts';
import { newShortcode } from '../../graph/shortcode.ts';
import { signIn } from '../../graph/sign-in.ts';
import type { Call } from '../../network.ts';
import { checkStanding, invalidParam } from './errors.ts';
import { scopes } from './login.ts';
import { isReply, isRepost, requireOwn, requireVisible, rootOf } from './posts.ts';
import { checkDeleteQuota, countDeletion } from './quota.ts';

export function deletePost(call: Call): Answer {
  const account = signIn(call, scopes.basic, scopes.remove);
  const post = requireOwn(call, account);
  checkDeleteQuota(call, account);
  call.sandbox.store.posts.remove(post);
  countDeletion(call, account, post.id);
  return json({ success: true, deleted_id: post.id });
}

/** Of anybody's post; it is a post of its own, with nothing in it. */
export function repost(call: Call): Answer {
  const account = signIn(call, scopes.basic, scopes.publish);
  checkStanding(account);
  const { store, now } = call.sandbox;
  const { id: reposted = '' } = call.params;
  const original = store.posts.find('threads', reposted) ?? noObject(call, reposted);
  if (isRepost(original)) invalidParam('A repost cannot be reposted.');
  const id = store.ids.snowflake();
  const shortcode = newShortcode(store, 'threads', id);
  store.posts.add(call, {
    id,
    accountId: account.id,
    text: '',
    media: [],
    inReplyTo: null,
    url: `https://www.threads.com/@${account.handle}/post/${shortcode}`,
    createdAt: now(),
    data: { shortcode, mediaType: 'REPOST_FACADE', reposted },
  });
  store.reactions.add(original, account.id, 'repost');
  return json({ id });
}

/** Only what stands directly under one's own post can be hidden. */
export function manageReply(call: Call): Answer {
  const account = signIn(call, scopes.basic, scopes.manageReplies);
  const reply = requireVisible(call, account);
  const root = rootOf(call, reply);
  const isTopLevel = isReply(reply) && reply.inReplyTo === root.id && root.accountId === account.id;
  if (!isTopLevel) noObject(call, reply.id);
  const input = readInput(call);
  if (input.hide === undefined) invalidParam('Param hide is required.');
  call.sandbox.store.posts.change(reply, { data: { ...reply.data, isHidden: asFlag(input.hide) } });
  return json({ success: true });
}
