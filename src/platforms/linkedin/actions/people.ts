import { type output, z } from 'zod';
import type { Context } from '../../kit/index.ts';
import { type Credentials, call, encodeKey, ifPermitted } from '../api.ts';
import { mayPermit } from '../scopes.ts';

type Ctx = Context<Credentials>;
export type Person = { id: string; name: string; source: 'comment' | 'reaction' };

const Actors = z.object({
  elements: z.array(
    z.object({
      actor: z.string(),
      'actor~': z
        .object({ localizedFirstName: z.string().default(''), localizedLastName: z.string().default('') })
        .optional(),
    }),
  ),
});

const maxPeople = 50;

/**
 * Members who commented on a post or reacted to it, with their names, if the connection may read them. Only the legacy
 * API returns names with URNs, and it reports every reaction as a like.
 */
export async function peopleAround(post: string, ctx: Ctx): Promise<Person[]> {
  if (!mayPermit('read comments and reactions', ctx.credentials)) return [];
  const comments = await actorsOf(post, 'comments', ctx);
  const likes = await actorsOf(post, 'likes', ctx);
  return [
    ...comments.flatMap((actor) => personFrom(actor, 'comment', ctx)),
    ...likes.flatMap((actor) => personFrom(actor, 'reaction', ctx)),
  ];
}

type Actor = output<typeof Actors>['elements'][number];

async function actorsOf(post: string, kind: 'comments' | 'likes', ctx: Ctx): Promise<Actor[]> {
  const projection = '(elements*(actor,actor~(localizedFirstName,localizedLastName)))';
  const path = `/v2/socialActions/${encodeKey(post)}/${kind}?count=${maxPeople}&projection=${projection}`;
  const { accessToken } = ctx.credentials;
  return (await ifPermitted(call(Actors, { path, accessToken }, ctx)))?.elements ?? [];
}

/** Empty for the account itself, and for pages, which are not people. */
function personFrom(actor: Actor, source: Person['source'], { account }: Ctx): Person[] {
  const id = /^urn:li:person:([\w-]+)$/.exec(actor.actor)?.[1];
  const { localizedFirstName = '', localizedLastName = '' } = actor['actor~'] ?? {};
  const name = `${localizedFirstName} ${localizedLastName}`.trim();
  return id && name && id !== account.id ? [{ id, name, source }] : [];
}
