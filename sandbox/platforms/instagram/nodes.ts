import type { Operation } from '../../faults.ts';
import { authenticate } from '../../graph/authenticate.ts';
import { type Container, findContainer, stateOf } from '../../graph/containers.ts';
import { noObject } from '../../graph/errors.ts';
import { select } from '../../graph/field-selection.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { appScopedId } from './accounts.ts';
import { presentComment } from './comments.ts';
import { scopes } from './login.ts';
import { fieldsOf, presentChild, presentMedia } from './media-read.ts';
import { findOwn, isComment, isOver } from './posts.ts';

/** One path serves accounts, containers, media, album items and comments. Only the id distinguishes them. */
export function showNode(call: Call): HttpResponse {
  const account = authenticate(call, scopes.basic);
  const id = call.params.id ?? '';
  if (id === 'me' || id === account.id) return json(presentAccount(call, account));
  const container = findContainer(call, id);
  if (container?.accountId === account.id) return json(presentContainer(call, container));
  const post = findOwn(call, account, id);
  if (!post || isOver(call, post)) return json(presentPart(call, account, id));
  if (isComment(post)) return json(presentComment(call, post, fieldsOf(call)));
  return json(presentMedia(call, account, post, fieldsOf(call)));
}

export function operationOfNode(call: Call): Operation {
  const id = call.params.id ?? '';
  if (findContainer(call, id)) return 'status';
  return id === 'me' || call.sandbox.store.accounts.find('instagram', id) ? 'account' : 'other';
}

const statusTexts: Record<ReturnType<typeof stateOf>, string> = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  PUBLISHED: 'Published: Media has been successfully published.',
  EXPIRED: 'Expired: The container was not published within 24 hours and has expired.',
  ERROR: 'Error: Media upload has failed with error code',
};

function presentContainer(call: Call, container: Container): JsonObject {
  const state = stateOf(call, container);
  const node = {
    id: container.id,
    status_code: state,
    status: state === 'ERROR' ? `${statusTexts.ERROR} ${container.failure}` : statusTexts[state],
    copyright_check_status: undefined,
  };
  return select('IGMediaBuilder', node, fieldsOf(call));
}

function presentAccount(call: Call, account: Account): JsonObject {
  const { posts } = call.sandbox.store;
  const node = {
    id: appScopedId(account.id),
    user_id: account.id,
    username: account.handle,
    name: account.displayName,
    account_type: 'Business',
    profile_picture_url: account.avatarUrl ?? undefined,
    biography: undefined,
    website: undefined,
    followers_count: 0,
    follows_count: 0,
    media_count: () => posts.ofAccount('instagram', account.id).filter((post) => !isComment(post)).length,
  };
  return select('IGUser', node, fieldsOf(call));
}

function presentPart(call: Call, account: Account, id: string): JsonObject {
  const { media, posts } = call.sandbox.store;
  const part = media.find('instagram', id);
  const album = posts.find('instagram', part?.postId ?? '');
  return part?.accountId === account.id && album ? presentChild(part, album, fieldsOf(call)) : noObject(call, id);
}
