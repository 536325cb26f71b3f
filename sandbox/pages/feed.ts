import { type Answer, empty, html } from '../answer.ts';
import type { Network } from '../network.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Post } from '../store/posts.ts';
import { accountLink } from './account.ts';
import { escapeHtml } from './escape.ts';
import { plural } from './home.ts';
import { layout } from './layout.ts';
import { type PostTree, postArticle } from './post.ts';

const shownPosts = 200;

/** Asked again every second by the page itself; unchanged, it costs one line. */
export function feedPage(sandbox: Sandbox, network: Network, knownTag: string | undefined): Answer {
  const tag = `"${sandbox.store.version()}"`;
  if (knownTag === tag) return empty(304, { etag: tag });
  return html(renderFeed(sandbox, network), 200, { etag: tag, 'cache-control': 'no-cache' });
}

function renderFeed(sandbox: Sandbox, network: Network): string {
  const accounts = sandbox.store.accounts.list(network.id);
  const trees = nestReplies(sandbox.store.posts.latest(network.id, shownPosts));
  const count = sandbox.store.posts.count(network.id);
  const posts =
    trees.length === 0
      ? '<p class="empty">No posts yet. They appear here as they arrive.</p>'
      : trees.map((tree) => postArticle(sandbox, tree)).join('');
  return layout({
    title: `${network.name} · Crier sandbox`,
    isLive: true,
    main: `<h1>${escapeHtml(network.name)}</h1>
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

/** Newest thread first, each read downwards. A reply whose parent is not shown stands by itself. */
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
