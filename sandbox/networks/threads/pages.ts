import { type Answer, file, html, redirect } from '../../answer.ts';
import { findByShortcode } from '../../graph/shortcode.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import { accounts } from './accounts.ts';

export function homePage(): Answer {
  return redirect('/feed/threads');
}

/** The shortcode alone decides, whichever handle the address names. */
export function threadPage(call: Call): Answer {
  const post = findByShortcode(call.sandbox.store, 'threads', call.params.shortcode ?? '');
  return post ? html(postPage(call.sandbox, call.network, post)) : missing();
}

export function profilePage(call: Call): Answer {
  const handle = accounts.normalize(call.params.user ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('threads', handle);
  return account ? html(accountPage(call.sandbox, call.network, account)) : missing();
}

export function avatar(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('threads', call.params.id ?? '');
  return account ? avatarImage(account.handle) : missing();
}

export function mediaFile(call: Call): Answer {
  const media = call.sandbox.store.media.find('threads', call.params.id ?? '');
  return media ? file(call.sandbox.store.files.path(media.sha256), media.type) : missing();
}

function missing(): Answer {
  return html(messagePage('Sorry, this page isn’t available', 'The link may be broken, or the post removed.'), 404);
}
