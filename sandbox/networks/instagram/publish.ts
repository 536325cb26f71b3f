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
import { invalid, refuse } from '../../graph/errors.ts';
import { readInput } from '../../graph/input.ts';
import { newShortcode } from '../../graph/shortcode.ts';
import { signInAs } from '../../graph/sign-in.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { checkStanding } from './errors.ts';
import { scopes } from './login.ts';
import { checkPostQuota } from './quota.ts';

/** Makes the container's post, whose id is another. */
export function publishContainer(call: Call): Answer {
  const account = signInAs(call, scopes.basic, scopes.publish);
  checkStanding(account);
  const container = requireReady(call, account, asText(readInput(call).creation_id));
  checkPostQuota(call, account);

  const { store, now } = call.sandbox;
  const id = store.ids.snowflake();
  const shortcode = newShortcode(store, 'instagram', id);
  const media = mediaOf(call, container);
  const isFilm = media[0]?.kind === 'video';
  const productType = productTypes[container.type] ?? 'FEED';
  store.posts.add(wholeRequest(call, container), {
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
      mediaType: container.type === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : isFilm ? 'VIDEO' : 'IMAGE',
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

/** Ready, one's own, and published by nobody yet. */
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
        shown: ['Media not ready', 'The media is not ready for publishing, please wait for a moment'],
      });
    case 'EXPIRED':
      return refuse('The media has expired', {
        code: -2,
        subcode: 2207020,
        shown: ['Media expired', 'The media you are trying to access has expired. Please try to upload again.'],
      });
    case 'ERROR':
      return refuse('Fatal', {
        code: -1,
        subcode: 2207032,
        shown: ['Create media fail', 'Create media fail, please try to re-create media'],
      });
    case 'PUBLISHED':
      return refuse('The requested resource does not exist', {
        code: 24,
        subcode: 2207008,
        shown: [
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
    shown: ['Media Not Found', `The media with id ${id} cannot be found.`],
  });
}
