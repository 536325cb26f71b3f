import type { Operation } from '../../faults.ts';
import { authenticateAs } from '../../graph/authenticate.ts';
import { addContainer, findContainer, type NewContainer, stateOf } from '../../graph/containers.ts';
import { invalid, refuse } from '../../graph/errors.ts';
import { listOf, namesIn, readInput } from '../../graph/input.ts';
import { asFlag, asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import { isObject, type JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { checkCaption } from './caption.ts';
import { refuseSuspended } from './errors.ts';
import { scopes } from './login.ts';
import { imageContainer, videoContainer } from './media-containers.ts';
import { checkContainerQuota } from './quota.ts';

const carouselItems = { min: 2, max: 10 };
const maxCollaborators = 3;
const maxTags = 20;

export async function createContainer(call: Call): Promise<HttpResponse> {
  const account = authenticateAs(call, scopes.basic, scopes.publish);
  refuseSuspended(account);
  checkContainerQuota(call, account);
  const input = readInput(call);
  checkCaption(asText(input.caption));
  checkTags(input);
  const container = await build(call, account, input);
  return json({ id: addContainer(call, account, container, input) });
}

/** A carousel has no file itself. */
export function operationOfCreation(call: Call): Operation {
  return asText(readInput(call).media_type) === 'CAROUSEL' ? 'other' : 'upload';
}

function build(call: Call, account: Account, input: JsonObject): NewContainer | Promise<NewContainer> {
  const type = asText(input.media_type);
  switch (type) {
    case '':
    case 'IMAGE':
      return imageContainer(call, account, input, 'IMAGE');
    case 'VIDEO':
      return asFlag(input.is_carousel_item) ? videoContainer(call, account, input, type) : refuseVideo();
    case 'REELS':
      if (asFlag(input.is_carousel_item)) invalid('A reel cannot be a carousel item. Use the media_type VIDEO.');
      return videoContainer(call, account, input, type);
    case 'STORIES':
      return asText(input.image_url) === ''
        ? videoContainer(call, account, input, type)
        : imageContainer(call, account, input, type);
    case 'CAROUSEL':
      return carousel(call, account, input);
    default:
      return refuseType(type);
  }
}

function carousel(call: Call, account: Account, input: JsonObject): NewContainer {
  const children = namesIn(input.children, 'children');
  if (children.length < carouselItems.min || children.length > carouselItems.max) {
    refuse('Invalid parameter', {
      code: 100,
      subcode: 2207028,
      userMessage: [
        'Incorrect number of items',
        "Your post won't work as a carousel. Carousels need at least 2 photos/videos and no more than 10 photos/videos.",
      ],
    });
  }
  for (const id of children) checkItem(call, account, id);
  return {
    type: 'CAROUSEL',
    isItem: false,
    media: null,
    children,
    readyAt: call.sandbox.now(),
    failure: null,
    data: { caption: asText(input.caption) },
  };
}

/** Carousel items must be ready. */
function checkItem(call: Call, account: Account, id: string): void {
  const item = findContainer(call, id);
  if (item?.accountId !== account.id || !item.isItem) {
    invalid(`Param children: ${id} is not a valid carousel item.`);
  }
  if (stateOf(call, item) !== 'FINISHED') {
    refuse('Media ID is not available', {
      code: 9007,
      subcode: 2207027,
      userMessage: ['Media not ready', `The media ${id} is not ready for publishing, please wait for a moment`],
    });
  }
}

function checkTags(input: JsonObject): void {
  const tags = listOf(input.user_tags, 'user_tags');
  if (tags.length > maxTags) {
    refuse('Invalid parameter', {
      code: 100,
      subcode: 2207040,
      userMessage: ['Too many tags', `Cannot use more than ${maxTags} tags per created media.`],
    });
  }
  if (!tags.every((tag) => isObject(tag) && asText(tag.username) !== '')) {
    invalid('Param user_tags must be an array of objects with a username.');
  }
  if (listOf(input.collaborators, 'collaborators').length > maxCollaborators) {
    invalid(`Param collaborators must have at most ${maxCollaborators} items.`);
  }
}

function refuseVideo(): never {
  refuse(
    'The VIDEO value for media_type is no longer supported. Use the REELS media_type to publish a video to your Instagram feed.',
    { code: 100, subcode: 2207067 },
  );
}

function refuseType(type: string): never {
  refuse('Invalid parameter', {
    code: 100,
    subcode: 2207023,
    userMessage: ['Unknown media type', `The media type ${type} is unknown.`],
  });
}
