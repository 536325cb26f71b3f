import { z } from 'zod';
import type { Json } from '../../lib/json.ts';
import type { Context, PlatformError } from '../kit/index.ts';
import { asAction, onFirst, targetsOf } from './actions-target.ts';
import { authorOf, type Credentials, call, send } from './api.ts';
import { orLegacy, type Root } from './create-comment.ts';

type Ctx = Context<Credentials>;

export const reactionTypes = ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'] as const;
export type ReactionType = (typeof reactionTypes)[number];

const Reaction = z.record(z.string(), z.json());

/** `target` is the URN that LinkedIn took, which need not be the one given. */
export function react({ on, type }: { on: string; type: ReactionType }, ctx: Ctx) {
  const create = (post: string) => call(Reaction, reactionRequest(post, type, ctx), ctx);
  const like = (post: string) => call(Reaction, likeRequest(post, ctx), ctx);
  // The older API knows only likes.
  const attempt = (post: string) =>
    type === 'LIKE' ? orLegacy((root) => (root === '/v2' ? like : create)(post)) : create(post);
  return asAction(onFirst(targetsOf(on), attempt));
}

/** One account has at most one reaction to a post: which one need not be said. */
export function removeReaction(on: string, ctx: Ctx): Promise<{ target: string; answer: Json }> {
  const { accessToken } = ctx.credentials;
  const remove = (post: string) =>
    orLegacy(async (root) => {
      await send({ method: 'DELETE', path: pathOf(root, post, ctx), accessToken }, ctx);
      return null;
    });
  return asAction(onFirst(targetsOf(on), remove));
}

/** LinkedIn's word for it is the same as for other conflicts, but a new reaction can be in conflict with nothing else. */
export const hasReacted = (error: PlatformError) => error.status === 409;

const reactionRequest = (root: string, reactionType: ReactionType, ctx: Ctx) =>
  ({
    method: 'POST',
    path: `/rest/reactions?actor=${encodeURIComponent(authorOf(ctx))}`,
    accessToken: ctx.credentials.accessToken,
    body: { root, reactionType },
  }) as const;

const likeRequest = (object: string, ctx: Ctx) =>
  ({
    method: 'POST',
    path: `/v2/socialActions/${encodeURIComponent(object)}/likes`,
    accessToken: ctx.credentials.accessToken,
    body: { actor: authorOf(ctx), object },
  }) as const;

function pathOf(root: Root, post: string, ctx: Ctx): string {
  const [actor, entity] = [encodeURIComponent(authorOf(ctx)), encodeURIComponent(post)];
  return root === '/v2'
    ? `/v2/socialActions/${entity}/likes/${actor}`
    : `/rest/reactions/(actor:${actor},entity:${entity})`;
}
