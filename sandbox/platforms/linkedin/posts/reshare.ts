import { asText } from '../../../http/coerce.ts';
import { isObject, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import { invalidField } from '../errors.ts';
import { isPostUrn } from './posts.ts';

const field = 'reshareContext/parent';

/** Returns the post that the new one reshares, if any. */
export function readReshare(call: Call, author: Account, body: JsonObject): Post | undefined {
  const context = body.reshareContext;
  if (context === undefined || context === null) return undefined;
  const parentUrn = isObject(context) ? asText(context.parent) : '';
  if (!isPostUrn(parentUrn)) invalidField('INVALID_URN_ID', field, `${parentUrn} is not a share or ugcPost`);
  if (body.content !== undefined) {
    invalidField('INVALID_VALUE_FOR_FIELD', 'content', 'A reshare cannot have its own content');
  }
  const parent = call.sandbox.store.posts.find('linkedin', parentUrn);
  if (!parent || !isReshareable(parent, author)) {
    invalidField('INVALID_VALUE_FOR_FIELD', field, `${parentUrn} cannot be reshared`);
  }
  return parent;
}

/** The sandbox has no connections, so a post for connections is visible only to its author. */
function isReshareable(parent: Post, author: Account): boolean {
  const body = isObject(parent.data.body) ? parent.data.body : {};
  if (body.isReshareDisabledByAuthor === true) return false;
  return parent.data.visibility !== 'connections' || parent.accountId === author.id;
}
