import { type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { escapeHtml } from '../../pages/escape.ts';
import { layout, messagePage } from '../../pages/layout.ts';
import { accountPage, postArticle } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { accounts } from './accounts.ts';
import { siteHost } from './hosts.ts';

export function homePage(): HttpResponse {
  return redirect('/feed/youtube');
}

export function watchPage(call: Call): HttpResponse {
  return videoPage(call, call.query.get('v') ?? '');
}

export function shortsPage(call: Call): HttpResponse {
  return videoPage(call, call.params.id ?? '');
}

export function shortLink(call: Call): HttpResponse {
  return redirect(`/${siteHost}/watch?v=${encodeURIComponent(call.params.id ?? '')}`, 303);
}

export function channelPage(call: Call): HttpResponse {
  return profile(call, call.sandbox.store.accounts.find('youtube', call.params.id ?? ''));
}

export function handlePage(call: Call): HttpResponse {
  const handle = accounts.normalize(call.params.handle ?? '');
  return profile(call, handle === null ? undefined : call.sandbox.store.accounts.findByHandle('youtube', handle));
}

export function avatar(call: Call): HttpResponse {
  const [id = ''] = (call.params.name ?? '').split('=');
  const account = call.sandbox.store.accounts.find('youtube', id);
  return account ? avatarImage(account.handle) : notFoundPage();
}

/** Shows videos of any privacy, because the person at the sandbox owns every channel. */
function videoPage(call: Call, id: string): HttpResponse {
  const { sandbox, platform } = call;
  const post = sandbox.store.posts.find('youtube', id);
  if (post?.data.kind !== 'video') return notFoundPage();
  const title = String(post.data.title);
  const comments = sandbox.store.posts.replies(post).map((comment) => withReplies(call, comment));
  return html(
    layout({
      title: `${title} · ${platform.name}`,
      main: `<p><a href="/feed/${platform.id}">← All of ${escapeHtml(platform.name)}</a></p>
<h1>${escapeHtml(title)}</h1>
<section class="feed">${postArticle(sandbox, { post, replies: comments })}</section>`,
    }),
  );
}

function withReplies(call: Call, comment: Post) {
  const replies = call.sandbox.store.posts.replies(comment).map((post) => ({ post, replies: [] }));
  return { post: comment, replies };
}

function profile(call: Call, account: Account | undefined): HttpResponse {
  return account ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
}

function notFoundPage(): HttpResponse {
  return html(messagePage('This page isn’t available', 'Try another address, or go back to the feed.'), 404);
}
