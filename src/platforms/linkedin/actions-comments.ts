import type { Context } from '../kit/index.ts';
import { asAction, onFirst, targetsOf } from './actions-target.ts';
import { authorOf, type Credentials, send } from './api.ts';
import { createComment, type NewComment, orLegacy } from './create-comment.ts';
import { littleText } from './text.ts';
import { uploadWhole } from './upload.ts';

type Ctx = Context<Credentials>;

export async function comment(comment: NewComment, ctx: Ctx) {
  const text = littleText(comment.text);
  const create = (on: string) => createComment({ ...comment, on, text }, ctx);
  return (await asAction(onFirst(targetsOf(comment.on), create))).answer;
}

/** The number of the comment, whatever names it. */
export async function removeComment({ on, commentId }: { on: string; commentId: string }, ctx: Ctx): Promise<void> {
  const { accessToken } = ctx.credentials;
  const actor = encodeURIComponent(authorOf(ctx));
  const remove = (post: string) =>
    orLegacy((root) => {
      const path = `${root}/socialActions/${encodeURIComponent(post)}/comments/${commentId}?actor=${actor}`;
      return send({ method: 'DELETE', path, accessToken }, ctx);
    });
  await asAction(onFirst(targetsOf(on), remove));
}

/** The URN by which a comment can show it. */
export const uploadImage = (image: Blob, ctx: Ctx) => asAction(uploadWhole('image', image, ctx));
