import type { Operation } from '../../faults.ts';
import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Token } from '../../store/tokens.ts';
import { invalid, noObject } from './errors.ts';
import { type Node, parseFields, select } from './field-selection.ts';
import { readInput } from './input.ts';
import { photoNode } from './posts/photos.ts';
import { defaultPostFields, findPost, isComment, postNode } from './posts/posts.ts';
import { authenticateAsPage, pagesOf, requireToken } from './sign-in/authenticate.ts';
import { pageTokenFor } from './sign-in/tokens.ts';
import { defaultVideoFields, findVideo, videoNode } from './videos/videos.ts';

const tasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'];

/** `GET /{id}` serves every kind of object. Only the id distinguishes them. */
export function showNode(call: Call): HttpResponse {
  const token = requireToken(call);
  const id = call.params.id ?? '';
  const fields = asText(readInput(call).fields);
  if (id === 'me' && token.data.type === 'USER')
    return json(select('User', personNode(call, token), fields, 'id,name'));

  const { accounts, media } = call.sandbox.store;
  const page = id === 'me' ? accounts.find('facebook', token.accountId ?? '') : findPage(call, id);
  if (page) return json(select('Page', pageNode(call, page, token), fields, 'id,name'));

  const video = findVideo(call, id);
  if (video) {
    authenticateAsPage(call, video.pageId, 'pages_read_engagement');
    return json(select('Video', videoNode(call, video), fields, defaultVideoFields));
  }
  const photo = media.find('facebook', id);
  if (photo) {
    authenticateAsPage(call, photo.accountId, 'pages_read_engagement');
    return json(select('Photo', photoNode(photo), fields, 'created_time,id'));
  }
  const post = findPost(call, id) ?? noObject(call, id);
  authenticateAsPage(call, post.accountId, 'pages_read_engagement');
  return json(select(isComment(post) ? 'Comment' : 'Post', postNode(call, post), fields, defaultPostFields));
}

/** The same path reads an account, the progress of a video, or a post. */
export function operationOfNode(call: Call): Operation {
  const id = call.params.id ?? '';
  if (id === 'me' || findPage(call, id)) return 'account';
  const fields = parsedOrNone(call.query.get('fields') ?? '');
  return fields.includes('status') ? 'status' : 'stats';
}

/** Lists the Pages that the person selected, each with its own token. */
export function myPages(call: Call): HttpResponse {
  const token = requireToken(call);
  if (token.data.type === 'PAGE') invalid('Tried accessing nonexistent field (accounts) on node type (Page)');
  const { accounts } = call.sandbox.store;
  const canList = token.scope.split(' ').includes('pages_show_list');
  const pages = canList ? pagesOf(token).flatMap((id) => accounts.find('facebook', id) ?? []) : [];
  const fields = asText(readInput(call).fields);
  const byDefault = 'access_token,category,category_list,name,id,tasks';
  const data = pages.map((page) => select('Page', pageNode(call, page, token), fields, byDefault));
  const [first, last] = [pages.at(0), pages.at(-1)];
  return json({ data, ...(first && last && { paging: { cursors: { before: first.id, after: last.id } } }) });
}

function pageNode(call: Call, page: Account, token: Token): Node {
  return {
    id: page.id,
    name: page.displayName,
    username: page.handle,
    link: page.profileUrl ?? undefined,
    about: undefined,
    category: 'Business service',
    category_list: [{ id: '2500', name: 'Business service' }],
    tasks: pagesOf(token).includes(page.id) ? tasks : undefined,
    access_token: () => accessTokenFor(call, page, token),
    followers_count: 0,
    fan_count: 0,
    is_published: true,
    verification_status: 'not_verified',
    picture: { data: { height: 200, width: 200, is_silhouette: false, url: page.avatarUrl ?? '' } },
    instagram_business_account: undefined,
    connected_instagram_account: undefined,
  };
}

function findPage(call: Call, id: string): Account | undefined {
  const { accounts } = call.sandbox.store;
  return accounts.find('facebook', id) ?? accounts.findByHandle('facebook', id.toLowerCase());
}

function accessTokenFor(call: Call, page: Account, token: Token): string | undefined {
  if (token.data.type === 'PAGE') return token.accountId === page.id ? token.token : undefined;
  return pagesOf(token).includes(page.id) ? pageTokenFor(call.sandbox, token, page.id).token : undefined;
}

function personNode(call: Call, token: Token): Node {
  const page = call.sandbox.store.accounts.find('facebook', token.accountId ?? '');
  return {
    id: asText(token.data.userId ?? undefined),
    name: `${page?.displayName ?? 'Somebody'}’s admin`,
    email: undefined,
    picture: { data: { height: 50, width: 50, is_silhouette: true, url: page?.avatarUrl ?? '' } },
  };
}

function parsedOrNone(fields: string): string[] {
  try {
    return parseFields(fields).map(({ name }) => name);
  } catch {
    return [];
  }
}
