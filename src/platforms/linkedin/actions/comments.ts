import type { Context } from '../../kit/index.ts';
import { authorOf, type Credentials, encodeKey, send } from '../api.ts';
import { createComment, type NewComment } from '../create-comment.ts';
import { withLegacyFallback } from '../legacy-api.ts';
import { uploadWhole } from '../upload.ts';
import { asAction, onFirstTarget, targetsOf } from './targets.ts';

type Ctx = Context<Credentials>;

export async function comment(comment: NewComment, ctx: Ctx) {
  const create = (on: string) => createComment({ ...comment, on }, ctx);
  return (await asAction(onFirstTarget(targetsOf(comment.on), create))).answer;
}

/** `commentId` is the number of the comment. */
export async function removeComment({ on, commentId }: { on: string; commentId: string }, ctx: Ctx): Promise<void> {
  const { accessToken } = ctx.credentials;
  const actor = encodeKey(authorOf(ctx));
  const remove = (post: string) =>
    withLegacyFallback(ctx.credentials, (root) => {
      const path = `${root}/socialActions/${encodeKey(post)}/comments/${commentId}?actor=${actor}`;
      return send({ method: 'DELETE', path, accessToken }, ctx);
    });
  await asAction(onFirstTarget(targetsOf(on), remove));
}

/** Returns the URN that a comment uses to show the image. */
export const uploadImage = (image: Blob, ctx: Ctx) => asAction(uploadWhole('image', image, ctx));
