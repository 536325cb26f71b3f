import { type Exchange, isObject } from './exchange.ts';

/** The kind of object that has this edge, on each host. */
const ownersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'graph.facebook.com': {
    accounts: 'User',
    businesses: 'User',
    feed: 'Page',
    photos: 'Page',
    videos: 'Page',
    published_posts: 'Page',
    comments: 'PagePost',
  },
  'graph-video.facebook.com': { videos: 'Page' },
  'graph.instagram.com': {
    media: 'IGUserForIGOnlyAPI',
    media_publish: 'IGUserForIGOnlyAPI',
    stories: 'IGUserForIGOnlyAPI',
    content_publishing_limit: 'IGUserForIGOnlyAPI',
    comments: 'IGMediaForIGOnlyAPI',
    replies: 'IGComment',
  },
};

/** The kind of object that a call on this edge creates. */
const madeBy: Readonly<Record<string, string>> = {
  feed: 'PagePost',
  photos: 'Photo',
  videos: 'AdVideo',
  published_posts: 'PagePost',
  media: 'ShadowIGMediaBuilder',
  media_publish: 'IGMediaForIGOnlyAPI',
  stories: 'IGMediaForIGOnlyAPI',
  comments: 'Comment',
};

/** The kind of object that a call on the edge returns. */
export const listedBy = (edge: string, method: string): string | undefined =>
  edge === 'media' && method === 'GET' ? 'IGMediaForIGOnlyAPI' : madeBy[edge];

/** A URL does not show which kind of object an id belongs to. The call that created it and its later uses do. */
export function nodeClasses(exchanges: readonly Exchange[]): Map<string, string> {
  const classes = new Map<string, string>();
  for (const { host, method, path, answer } of exchanges) {
    const [, , id = '', edge = ''] = path.split('/');
    const owner = ownersOf[host]?.[edge];
    if (owner !== undefined) classes.set(id, owner);
    const made = listedBy(edge, method);
    if (made === undefined || !isObject(answer?.body)) continue;
    const items = Array.isArray(answer.body.data) ? answer.body.data : [answer.body];
    for (const item of items) {
      if (!isObject(item)) continue;
      for (const [field, kind] of [
        ['id', made],
        ['post_id', 'PagePost'],
        ['video_id', 'AdVideo'],
      ] as const) {
        const value = item[field];
        if (typeof value === 'string' && !classes.has(value)) classes.set(value, kind);
      }
    }
  }
  return classes.set('me', classes.get('me') ?? 'IGUserForIGOnlyAPI');
}

/** The names on the first level of `id,attachments{target{id}},comments.limit(3)`. */
export function fieldNames(expression: string): string[] {
  let depth = 0;
  let flat = '';
  for (const character of expression) {
    if (character === '{' || character === '(') depth += 1;
    if (depth === 0) flat += character;
    if (character === '}' || character === ')') depth -= 1;
  }
  return flat
    .split(',')
    .map((field) => field.trim().replace(/\..*$/, ''))
    .filter((field) => field !== '');
}
