import { type HttpResponse, json } from '../../../http/http-response.ts';
import { isObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { denied, invalidParameter } from '../errors.ts';
import { pageOf } from '../rest-li/rest-li.ts';
import { idIn, urnOf } from '../rest-li/urn.ts';
import { authenticate, requirePage } from '../sign-in/authenticate.ts';
import { pageReading } from '../sign-in/scopes.ts';
import { authorOf, isPostUrn } from './posts.ts';

/** Lists posts of pages only: LinkedIn lets no app read the posts of a member. */
export function postsByAuthor(call: Call): HttpResponse {
  const caller = authenticate(call);
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
