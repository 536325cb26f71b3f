import { z } from 'zod';
import type { Json } from '../../../lib/json.ts';
import type { Context, PlatformError } from '../../kit/index.ts';
import { authorOf, type Call, type Credentials, call, send } from '../api.ts';
import { type ApiRoot, withLegacyFallback } from '../legacy-api.ts';
import { asAction, onFirstTarget, targetsOf } from './targets.ts';

type Ctx = Context<Credentials>;

export const reactionTypes = ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'] as const;
export type ReactionType = (typeof reactionTypes)[number];

const Reaction = z.record(z.string(), z.json());

/** `target` is the URN that LinkedIn accepted, which need not be the one given. */
export function react({ on, type }: { on: string; type: ReactionType }, ctx: Ctx) {
  const create = (post: string) => call(Reaction, reactionRequest(post, type, ctx), ctx);
  const like = (post: string) => call(Reaction, likeRequest(post, ctx), ctx);
  // The older API knows only likes.
  const attempt = (post: string) =>
    type === 'LIKE' ? withLegacyFallback((root) => (root === '/v2' ? like : create)(post)) : create(post);
  return asAction(onFirstTarget(targetsOf(on), attempt));
}

/** An account has at most one reaction to a post, so its type is not needed. */
export function removeReaction(on: string, ctx: Ctx): Promise<{ target: string; answer: Json }> {
  const { accessToken } = ctx.credentials;
  const remove = (post: string) =>
    withLegacyFallback(async (root) => {
      await send({ method: 'DELETE', path: pathOf(root, post, ctx), accessToken }, ctx);
      return null;
    });
  return asAction(onFirstTarget(targetsOf(on), remove));
}

/** LinkedIn uses the same status for other conflicts, but a new reaction can conflict with nothing else. */
export const hasReacted = (error: PlatformError) => error.status === 409;

const reactionRequest = (root: string, reactionType: ReactionType, ctx: Ctx): Call => ({
  path: `/rest/reactions?actor=${encodeURIComponent(authorOf(ctx))}`,
  accessToken: ctx.credentials.accessToken,
  body: { root, reactionType },
});

const likeRequest = (object: string, ctx: Ctx): Call => ({
  path: `/v2/socialActions/${encodeURIComponent(object)}/likes`,
  accessToken: ctx.credentials.accessToken,
  body: { actor: authorOf(ctx), object },
});

function pathOf(root: ApiRoot, post: string, ctx: Ctx): string {
  const [actor, entity] = [encodeURIComponent(authorOf(ctx)), encodeURIComponent(post)];
  return root === '/v2'
    ? `/v2/socialActions/${entity}/likes/${actor}`
    : `/rest/reactions/(actor:${actor},entity:${entity})`;
}
