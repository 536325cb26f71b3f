import type { Json } from '../../../foundation/lib/json.ts';
import type { Context, PlatformError } from '../../kit/index.ts';
import { authorOf, type Call, type Credentials, encodeKey, fieldsOf, send } from '../api.ts';
import { type ApiRoot, withLegacyFallback } from '../legacy-api.ts';
import { requirePermission } from '../scopes.ts';
import { asAction, onFirstTarget, targetsOf } from './targets.ts';

type Ctx = Context<Credentials>;

export const reactionTypes = ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'] as const;
export type ReactionType = (typeof reactionTypes)[number];

/** `target` is the URN that LinkedIn accepted, which may differ from the given one. */
export function react({ on, type }: { on: string; type: ReactionType }, ctx: Ctx) {
  const create = async (post: string) => {
    requirePermission('comment and react', ctx.credentials);
    return reactionIn(await send(reactionRequest(post, type, ctx), ctx));
  };
  const like = async (post: string) => reactionIn(await send(likeRequest(post, ctx), ctx));
  // The legacy API supports only likes.
  const attempt = (post: string) =>
    type === 'LIKE'
      ? withLegacyFallback(ctx.credentials, (root) => (root === '/v2' ? like : create)(post))
      : create(post);
  return asAction(onFirstTarget(targetsOf(on), attempt));
}

/** An account has at most one reaction to a post, so the type is not needed. */
export function removeReaction(on: string, ctx: Ctx): Promise<{ target: string; answer: Json }> {
  const { accessToken } = ctx.credentials;
  const remove = (post: string) =>
    withLegacyFallback(ctx.credentials, async (root) => {
      await send({ method: 'DELETE', path: pathOf(root, post, ctx), accessToken }, ctx);
      return null;
    });
  return asAction(onFirstTarget(targetsOf(on), remove));
}

/** LinkedIn uses the same status for conflicting writes, which are worth retrying, so the message decides. */
export const hasReacted = ({ status, reason }: PlatformError) =>
  status === 409 && /already[ _](reacted|liked|exists?)|duplicate/i.test(reason ?? '');

async function reactionIn(response: Response): Promise<{ [field: string]: Json }> {
  const id = response.headers.get('x-restli-id');
  return { ...(id && { id }), ...(await fieldsOf(response)) };
}

const reactionRequest = (root: string, reactionType: ReactionType, ctx: Ctx): Call => ({
  path: `/rest/reactions?actor=${encodeKey(authorOf(ctx))}`,
  accessToken: ctx.credentials.accessToken,
  body: { root, reactionType },
});

const likeRequest = (object: string, ctx: Ctx): Call => ({
  path: `/v2/socialActions/${encodeKey(object)}/likes`,
  accessToken: ctx.credentials.accessToken,
  body: { actor: authorOf(ctx), object },
});

function pathOf(root: ApiRoot, post: string, ctx: Ctx): string {
  const [actor, entity] = [encodeKey(authorOf(ctx)), encodeKey(post)];
  return root === '/v2'
    ? `/v2/socialActions/${entity}/likes/${actor}`
    : `/rest/reactions/(actor:${actor},entity:${entity})`;
}
