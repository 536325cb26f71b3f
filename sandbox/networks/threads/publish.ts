import { type Answer, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import {
  type Container,
  findContainer,
  markPublished,
  mediaOf,
  stateOf,
  wholeRequest,
} from '../../graph/containers.ts';
import { readInput } from '../../graph/input.ts';
import { newShortcode } from '../../graph/shortcode.ts';
import { signInAs } from '../../graph/sign-in.ts';
import type { Call, Operation } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { checkStanding, invalidParam, mediaNotFound } from './errors.ts';
import { scopes } from './login.ts';
import { checkPostQuota } from './quota.ts';

/** Makes the container's post, whose id is another. */
export function publishContainer(call: Call): Answer {
  const account = signInAs(call, scopes.basic, scopes.publish);
  checkStanding(account);
  const id = asText(readInput(call).creation_id);
  if (id === '') invalidParam('Param creation_id is required.');
  return json({ id: publish(call, account, id) });
}

/** A reply is a post too, so a fault on `publish` hits it as well. */
export function publishOrComment(call: Call): readonly Operation[] {
  const container = findContainer(call, asText(readInput(call).creation_id));
  return container && container.data.parent !== null ? ['comment', 'publish'] : ['publish'];
}

export function publish(call: Call, account: Account, containerId: string): string {
  const container = requireReady(call, account, containerId);
  const parent = asText(container.data.parent) || null;
  checkPostQuota(call, account, parent === null ? 'post' : 'reply');
  const { store, now } = call.sandbox;
  const id = store.ids.snowflake();
  const shortcode = newShortcode(store, 'threads', id);
  const media = mediaOf(call, container);
  const { replyControl, topicTag, link, poll, quoted } = container.data;
  store.posts.add(wholeRequest(call, container), {
    id,
    accountId: account.id,
    text: asText(container.data.text),
    media: media.map((one) => one.id),
    inReplyTo: parent,
    url: `https://www.threads.com/@${account.handle}/post/${shortcode}`,
    createdAt: now(),
    data: {
      shortcode,
      mediaType: mediaTypes[container.type] ?? container.type,
      replyControl: replyControl ?? null,
      topicTag: topicTag ?? null,
      link: link ?? null,
      poll: poll ?? null,
      quoted: quoted ?? null,
    },
  });
  for (const one of media) store.media.change(one, { postId: id });
  const quotedPost = store.posts.find('threads', asText(quoted));
  if (quotedPost) store.reactions.add(quotedPost, id, 'quote');
  markPublished(call, container, id);
  return id;
}

const mediaTypes: Record<string, string> = { TEXT: 'TEXT_POST', CAROUSEL: 'CAROUSEL_ALBUM' };

function requireReady(call: Call, account: Account, id: string): Container {
  const container = findContainer(call, id);
  const isReady = container?.accountId === account.id && stateOf(call, container) === 'FINISHED';
  if (!isReady) return mediaNotFound(id);
  return container.isItem ? invalidParam('A carousel item cannot be published by itself.') : container;
}
