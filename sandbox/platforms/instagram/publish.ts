import { authenticateAs } from '../../graph/authenticate.ts';
import {
  type Container,
  findContainer,
  markPublished,
  mediaOf,
  stateOf,
  withContainerFields,
} from '../../graph/containers.ts';
import { invalid, refuse } from '../../graph/errors.ts';
import { readInput } from '../../graph/input.ts';
import { newShortcode } from '../../graph/shortcode.ts';
import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { refuseSuspended } from './errors.ts';
import { scopes } from './login.ts';
import { checkPostQuota } from './quota.ts';

/** Creates the post of a container. The post gets a new id. */
export function publishContainer(call: Call): HttpResponse {
  const account = authenticateAs(call, scopes.basic, scopes.publish);
  refuseSuspended(account);
  const container = requireReady(call, account, asText(readInput(call).creation_id));
  checkPostQuota(call, account);

  const { store, now } = call.sandbox;
  const id = store.ids.snowflake();
  const shortcode = newShortcode(store, 'instagram', id);
  const media = mediaOf(call, container);
  const isVideo = media[0]?.kind === 'video';
  const productType = productTypes[container.type] ?? 'FEED';
  store.posts.add(withContainerFields(call, container), {
    id,
    accountId: account.id,
    // A story has no caption.
    text: productType === 'STORY' ? '' : asText(container.data.caption),
    media: media.map((one) => one.id),
    inReplyTo: null,
    url: addressOf(account, productType, id, shortcode),
    createdAt: now(),
    data: {
      shortcode,
      productType,
      mediaType: container.type === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : isVideo ? 'VIDEO' : 'IMAGE',
      isCommentEnabled: true,
    },
  });
  for (const one of media) store.media.change(one, { postId: id });
  markPublished(call, container, id);
  return json({ id });
}

const productTypes: Record<string, string> = { REELS: 'REELS', STORIES: 'STORY' };

function addressOf(account: Account, productType: string, id: string, shortcode: string): string {
  if (productType === 'STORY') return `https://www.instagram.com/stories/${account.handle}/${id}`;
  return `https://www.instagram.com/${productType === 'REELS' ? 'reel' : 'p'}/${shortcode}/`;
}

/** The container must be ready, the caller's own and not yet published. */
function requireReady(call: Call, account: Account, id: string): Container {
  if (id === '') invalid('The parameter creation_id is required');
  const container = findContainer(call, id);
  if (container?.accountId !== account.id) return notFound(id);
  if (container.isItem) invalid('A carousel item cannot be published by itself.');
  switch (stateOf(call, container)) {
    case 'FINISHED':
      return container;
    case 'IN_PROGRESS':
      return refuse('Media ID is not available', {
        code: 9007,
        subcode: 2207027,
        userMessage: ['Media not ready', 'The media is not ready for publishing, please wait for a moment'],
      });
    case 'EXPIRED':
      return refuse('The media has expired', {
        code: -2,
        subcode: 2207020,
        userMessage: ['Media expired', 'The media you are trying to access has expired. Please try to upload again.'],
      });
    case 'ERROR':
      return refuse('Fatal', {
        code: -1,
        subcode: 2207032,
        userMessage: ['Create media fail', 'Create media fail, please try to re-create media'],
      });
    case 'PUBLISHED':
      return refuse('The requested resource does not exist', {
        code: 24,
        subcode: 2207008,
        userMessage: [
          'Media builder not found',
          `The media builder with creation id = ${id} does not exist or has been expired.`,
        ],
      });
  }
}

function notFound(id: string): never {
  refuse('The requested resource does not exist', {
    code: 24,
    subcode: 2207006,
    userMessage: ['Media Not Found', `The media with id ${id} cannot be found.`],
  });
}
