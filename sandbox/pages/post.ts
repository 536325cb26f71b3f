import type { Sandbox, SandboxPlatform } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import type { Media } from '../store/media.ts';
import type { Post } from '../store/posts.ts';
import { accountLink, localAddress } from './account.ts';
import { escapeHtml, linkify } from './escape.ts';
import { layout } from './layout.ts';

export interface PostTree {
  readonly post: Post;
  readonly replies: PostTree[];
}

/** The page that the platform shows at the URL of a post. */
export function postPage(sandbox: Sandbox, platform: SandboxPlatform, post: Post): string {
  return layout({
    title: `Post ${post.id} · ${platform.name}`,
    main: `<p><a href="/feed/${platform.id}">← All of ${escapeHtml(platform.name)}</a></p>
<section class="feed">${postArticle(sandbox, treeOf(sandbox, post))}</section>`,
  });
}

export function accountPage(sandbox: Sandbox, platform: SandboxPlatform, account: Account): string {
  const posts = sandbox.store.posts.ofAccount(platform.id, account.id, 100);
  return layout({
    title: `${account.displayName} (@${account.handle}) · ${platform.name}`,
    main: `<p><a href="/feed/${platform.id}">← All of ${escapeHtml(platform.name)}</a></p>
<h1>${escapeHtml(account.displayName)}</h1><p class="lead">@${escapeHtml(account.handle)} · id ${escapeHtml(account.id)}</p>
<section class="feed" aria-label="Posts, newest first">${posts.map((post) => postArticle(sandbox, { post, replies: [] })).join('')}</section>`,
  });
}

export function postArticle(sandbox: Sandbox, { post, replies }: PostTree): string {
  const { store } = sandbox;
  const account = store.accounts.find(post.platform, post.accountId);
  const media = post.media.flatMap((id) => store.media.find(post.platform, id) ?? []);
  const time = new Date(post.createdAt).toISOString();
  const spoiler =
    typeof post.data.spoilerText === 'string' && post.data.spoilerText !== ''
      ? `<p class="spoiler">${escapeHtml(post.data.spoilerText)}</p>`
      : '';
  return `<article class="post" id="post-${escapeHtml(post.id)}">
<header>${account ? accountLink(account) : escapeHtml(post.accountId)}</header>
${spoiler}${post.text === '' ? '' : `<p class="text" dir="auto">${linkify(escapeHtml(post.text))}</p>`}
${media.length === 0 ? '' : `<div class="media media-${Math.min(media.length, 4)}">${media.map(mediaElement).join('')}</div>`}
<footer><a href="${escapeHtml(localAddress(post.url))}"><time datetime="${time}">${time.slice(0, 19).replace('T', ' ')}</time></a>
<span class="id">${escapeHtml(post.id)}</span>${post.editedAt === null ? '' : '<span>edited</span>'}${visibilityLabel(post)}</footer>
${replies.length === 0 ? '' : `<div class="replies">${replies.map((reply) => postArticle(sandbox, reply)).join('')}</div>`}
</article>`;
}

function treeOf(sandbox: Sandbox, post: Post): PostTree {
  return { post, replies: sandbox.store.posts.replies(post).map((reply) => treeOf(sandbox, reply)) };
}

function mediaElement(media: Media): string {
  const address = `/media/${media.sha256}`;
  const description = escapeHtml(media.description ?? '');
  if (media.kind === 'video')
    return `<video src="${address}" controls preload="metadata" aria-label="${description || 'Video'}"></video>`;
  if (media.kind === 'audio')
    return `<audio src="${address}" controls preload="none" aria-label="${description || 'Audio'}"></audio>`;
  if (media.kind === 'document') return `<a href="${address}">${description || 'Document'}</a>`;
  return `<a href="${address}"><img src="${address}" alt="${description}" loading="lazy"></a>`;
}

function visibilityLabel(post: Post): string {
  const { visibility } = post.data;
  return typeof visibility === 'string' && visibility !== 'public'
    ? `<span class="tag">${escapeHtml(visibility)}</span>`
    : '';
}
