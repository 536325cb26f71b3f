import type { Operation } from '../../faults.ts';
import { authenticateAs } from '../../graph/authenticate.ts';
import {
  type Container,
  findContainer,
  markPublished,
  mediaOf,
  stateOf,
  withContainerFields,
} from '../../graph/containers.ts';
import { readInput } from '../../graph/input.ts';
import { newShortcode } from '../../graph/shortcode.ts';
import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { invalidParam, mediaNotFound, refuseSuspended } from './errors.ts';
import { scopes } from './login.ts';
import { checkPostQuota } from './quota.ts';

/** Creates the post of a container. The post gets a new id. */
export function publishContainer(call: Call): HttpResponse {
  const account = authenticateAs(call, scopes.basic, scopes.publish);
  refuseSuspended(account);
  const id = asText(readInput(call).creation_id);
  if (id === '') invalidParam('Param creation_id is required.');
  return json({ id: publish(call, account, id) });
}

/** A reply is also a post, so a fault on `publish` applies to it. */
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
  store.posts.add(withContainerFields(call, container), {
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
