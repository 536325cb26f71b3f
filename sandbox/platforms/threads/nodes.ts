import type { Operation } from '../../faults.ts';
import { authenticate } from '../../graph/authenticate.ts';
import { type Container, findContainer, stateOf } from '../../graph/containers.ts';
import { select } from '../../graph/field-selection.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { scopes } from './login.ts';
import { fieldsOf, presentFile, presentPost } from './media-read.ts';
import { requireVisible } from './posts.ts';

/** One path serves accounts, containers, posts and album items. Only the id distinguishes them. */
export function showNode(call: Call): HttpResponse {
  const account = authenticate(call, scopes.basic);
  const id = call.params.id ?? '';
  if (id === 'me' || id === account.id) return json(presentAccount(call, account));
  const container = findContainer(call, id);
  if (container?.accountId === account.id) return json(presentContainer(call, container));
  const part = call.sandbox.store.media.find('threads', id);
  if (part?.accountId === account.id && part.postId !== null) return json(presentFile(part, fieldsOf(call)));
  return json(presentPost(call, account, requireVisible(call, account), fieldsOf(call)));
}

export function operationOfNode(call: Call): Operation {
  const id = call.params.id ?? '';
  if (findContainer(call, id)) return 'status';
  return id === 'me' || call.sandbox.store.accounts.find('threads', id) ? 'account' : 'other';
}

function presentContainer(call: Call, container: Container): JsonObject {
  const status = stateOf(call, container);
  const error_message = status === 'ERROR' ? (container.failure ?? undefined) : undefined;
  return select('ThreadsContainer', { id: container.id, status, error_message }, fieldsOf(call));
}

function presentAccount(call: Call, account: Account): JsonObject {
  const node = {
    id: account.id,
    username: account.handle,
    name: account.displayName,
    threads_profile_picture_url: account.avatarUrl ?? undefined,
    threads_biography: '',
    is_verified: false,
  };
  return select('ThreadsUser', node, fieldsOf(call));
}
