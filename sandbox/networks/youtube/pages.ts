import { type Answer, html, redirect } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { escapeHtml } from '../../pages/escape.ts';
import { layout, messagePage } from '../../pages/layout.ts';
import { accountPage, postArticle } from '../../pages/post.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { accounts } from './accounts.ts';
import { siteHost } from './hosts.ts';

export function homePage(): Answer {
  return redirect('/feed/youtube');
}

export function watchPage(call: Call): Answer {
  return videoPage(call, call.query.get('v') ?? '');
}

export function shortsPage(call: Call): Answer {
  return videoPage(call, call.params.id ?? '');
}

export function shortLink(call: Call): Answer {
  return redirect(`/${siteHost}/watch?v=${encodeURIComponent(call.params.id ?? '')}`, 303);
}

export function channelPage(call: Call): Answer {
  return profile(call, call.sandbox.store.accounts.find('youtube', call.params.id ?? ''));
}

export function handlePage(call: Call): Answer {
  const handle = accounts.normalize(call.params.handle ?? '');
  return profile(call, handle === null ? undefined : call.sandbox.store.accounts.findByHandle('youtube', handle));
}

export function avatar(call: Call): Answer {
  const [id = ''] = (call.params.name ?? '').split('=');
  const account = call.sandbox.store.accounts.find('youtube', id);
  return account ? avatarImage(account.handle) : missing();
}

/** Whatever its privacy: the person at the sandbox owns every channel in it. */
function videoPage(call: Call, id: string): Answer {
  const { sandbox, network } = call;
  const post = sandbox.store.posts.find('youtube', id);
  if (post?.data.kind !== 'video') return missing();
  const title = String(post.data.title);
  const comments = sandbox.store.posts.replies(post).map((comment) => withReplies(call, comment));
  return html(
    layout({
      title: `${title} · ${network.name}`,
      main: `<p><a href="/feed/${network.id}">← All of ${escapeHtml(network.name)}</a></p>
<h1>${escapeHtml(title)}</h1>
<section class="feed">${postArticle(sandbox, { post, replies: comments })}</section>`,
    }),
  );
}

function withReplies(call: Call, comment: Post) {
  const replies = call.sandbox.store.posts.replies(comment).map((post) => ({ post, replies: [] }));
  return { post: comment, replies };
}

function profile(call: Call, account: Account | undefined): Answer {
  return account ? html(accountPage(call.sandbox, call.network, account)) : missing();
}

function missing(): Answer {
  return html(messagePage('This page isn’t available', 'Try another address, or go back to the feed.'), 404);
}
