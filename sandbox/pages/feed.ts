import { empty, type HttpResponse, html } from '../http/http-response.ts';
import type { Sandbox, SandboxPlatform } from '../platform.ts';
import type { Post } from '../store/posts.ts';
import { accountLink } from './account.ts';
import { escapeHtml } from './escape.ts';
import { plural } from './home.ts';
import { layout } from './layout.ts';
import { type PostTree, postArticle } from './post.ts';

const shownPosts = 200;

/** The page requests itself every second. An unchanged page costs one 304 response. */
export function feedPage(sandbox: Sandbox, platform: SandboxPlatform, knownTag: string | undefined): HttpResponse {
  const tag = `"${sandbox.store.version()}"`;
  if (knownTag === tag) return empty(304, { etag: tag });
  return html(renderFeed(sandbox, platform), 200, { etag: tag, 'cache-control': 'no-cache' });
}

function renderFeed(sandbox: Sandbox, platform: SandboxPlatform): string {
  const accounts = sandbox.store.accounts.list(platform.id);
  const trees = nestReplies(sandbox.store.posts.latest(platform.id, shownPosts));
  const count = sandbox.store.posts.count(platform.id);
  const posts =
    trees.length === 0
      ? '<p class="empty">There are no posts yet. New posts appear here automatically.</p>'
      : trees.map((tree) => postArticle(sandbox, tree)).join('');
  return layout({
    title: `${platform.name} · Crier sandbox`,
    isLive: true,
    main: `<h1>${escapeHtml(platform.name)}</h1>
<p class="lead">${plural(count, 'post')}${count > shownPosts ? `, the latest ${shownPosts} shown` : ''} · ${plural(accounts.length, 'account')}</p>
${
  accounts.length === 0
    ? ''
    : `<ul class="accounts" aria-label="Accounts">${accounts
        .slice(0, 100)
        .map((account) => `<li>${accountLink(account)}</li>`)
        .join('')}</ul>`
}
<section class="feed" aria-label="Posts, newest first">${posts}</section>`,
  });
}

/** Threads are newest first, the posts of a thread oldest first. A reply whose parent is not listed stands alone. */
function nestReplies(newestFirst: readonly Post[]): PostTree[] {
  const trees = new Map(newestFirst.map((post) => [post.id, { post, replies: [] as PostTree[] }]));
  const roots: PostTree[] = [];
  for (const tree of trees.values()) {
    const parent = tree.post.inReplyTo === null ? undefined : trees.get(tree.post.inReplyTo);
    if (parent) parent.replies.unshift(tree);
    else roots.push(tree);
  }
  return roots;
}
