import type { Json } from '../../foundation/lib/json.ts';
import type { Context } from '../kit/index.ts';
import { authorOf, type Call, type Credentials, encodeKey, fieldsOf, send } from './api.ts';
import { type ApiRoot, withLegacyFallback } from './legacy-api.ts';
import type { Message } from './text.ts';

export interface NewComment {
  /** The URN of the post. */
  on: string;
  message: Message;
  /** The URN of the comment that this one replies to. */
  parent?: string | null;
  /** The URN of an uploaded image. */
  image?: string | null;
}

/** LinkedIn's response about the new comment. The comment exists even if there is no id. */
export async function createComment(comment: NewComment, ctx: Context<Credentials>) {
  const response = await withLegacyFallback(ctx.credentials, (root) => send(requestFor(root, comment, ctx), ctx));
  const fields = await fieldsOf(response);
  const id = response.headers.get('x-restli-id') || textIn(fields.id);
  const thread = textIn(fields.object) ?? comment.on;
  const commentUrn = textIn(fields.commentUrn) ?? (id && `urn:li:comment:(${thread},${id})`);
  return { ...fields, id, commentUrn, message: comment.message.text } satisfies { [field: string]: Json };
}

const textIn = (field: Json | undefined) => (typeof field === 'string' && field !== '' ? field : null);

/** For a reply, the path contains the post, and the body the parent comment. */
function requestFor(root: ApiRoot, { on, message, parent, image }: NewComment, ctx: Context<Credentials>): Call {
  return {
    path: `${root}/socialActions/${encodeKey(on)}/comments`,
    accessToken: ctx.credentials.accessToken,
    body: {
      actor: authorOf(ctx),
      object: on,
      message: message.attributes.length > 0 ? message : { text: message.text },
      ...(parent && { parentComment: parent }),
      ...(image && { content: [{ entity: { image } }] }),
    },
  };
}
