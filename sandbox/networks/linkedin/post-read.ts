import { type Answer, json } from '../../answer.ts';
import { isObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { denied, invalidParameter, notFound } from './errors.ts';
import { isPage } from './members.ts';
import { authorOf, findPost, isPostUrn } from './posts.ts';
import { pageOf } from './rest-li.ts';
import { pageReading } from './scopes.ts';
import { type Caller, mayActFor, requirePage, requireScope, signIn } from './sign-in.ts';
import { idIn, urnOf } from './urn.ts';

/** Only posts of pages: a member's own are closed even to the member's token. */
export function onePost(call: Call): Answer {
  const caller = signIn(call);
  const post = findPost(call, call.params.urn ?? '');
  if (!post) {
    requireScope(call, caller, pageReading, 'partnerApiPostsExternal.GET');
    notFound(`Could not find entity: ${call.params.urn}`);
  }
  if (!isReadable(call, caller, post)) denied(call, 'partnerApiPostsExternal.GET');
  return json(presentPost(call, post));
}

export function postsByAuthor(call: Call): Answer {
  const caller = signIn(call);
  if (call.query.get('q') !== 'author') invalidParameter('q');
  const resource = 'partnerApiPostsExternal.FINDER-author';
  const author = call.query.get('author') ?? invalidParameter('author');
  if (idIn(author, 'organization') === undefined) denied(call, resource);
  const page = requirePage(call, caller, author, pageReading, resource);
  const posts = call.sandbox.store.posts.ofAccount('linkedin', page.id).filter(({ id }) => isPostUrn(id));
  const sortBy = call.query.get('sortBy') ?? 'LAST_MODIFIED';
  if (sortBy === 'LAST_MODIFIED') posts.sort((one, other) => lastModified(other) - lastModified(one));
  return json(
    pageOf(
      call,
      posts.map((post) => presentPost(call, post)),
    ),
  );
}

function isReadable(call: Call, caller: Caller, post: Post): boolean {
  const isAllowed = pageReading.some((scope) => caller.scopes.includes(scope));
  return isAllowed && isPage(authorOf(call, post)) && mayActFor(call, caller, post.accountId);
}

function presentPost(call: Call, post: Post) {
  const body = isObject(post.data.body) ? post.data.body : {};
  return {
    ...body,
    id: post.id,
    author: urnOf(authorOf(call, post)),
    commentary: post.data.commentary,
    lifecycleState: 'PUBLISHED',
    lifecycleStateInfo: { isEditedByAuthor: post.editedAt !== null },
    isReshareDisabledByAuthor: body.isReshareDisabledByAuthor === true,
    createdAt: post.createdAt,
    publishedAt: post.createdAt,
    lastModifiedAt: lastModified(post),
  };
}

function lastModified(post: Post): number {
  return post.editedAt ?? post.createdAt;
}
