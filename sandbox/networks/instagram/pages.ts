import { type Answer, file, html, redirect } from '../../answer.ts';
import { findByShortcode } from '../../graph/shortcode.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import { accounts } from './accounts.ts';
import { isStory } from './posts.ts';

export function homePage(): Answer {
  return redirect('/feed/instagram');
}

/** Of a comment, too: it shows the post above it. */
export function mediaPage(call: Call): Answer {
  const post = findByShortcode(call.sandbox.store, 'instagram', call.params.shortcode ?? '');
  return post ? html(postPage(call.sandbox, call.network, post)) : missing();
}

/** Also after its day: the person at the sandbox may look at everything. */
export function storyPage(call: Call): Answer {
  const post = call.sandbox.store.posts.find('instagram', call.params.id ?? '');
  return post && isStory(post) ? html(postPage(call.sandbox, call.network, post)) : missing();
}

export function profilePage(call: Call): Answer {
  const handle = accounts.normalize(call.params.user ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('instagram', handle);
  return account ? html(accountPage(call.sandbox, call.network, account)) : missing();
}

export function avatar(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('instagram', call.params.id ?? '');
  return account ? avatarImage(account.handle) : missing();
}

export function mediaFile(call: Call): Answer {
  const media = call.sandbox.store.media.find('instagram', call.params.id ?? '');
  return media ? file(call.sandbox.store.files.path(media.sha256), media.type) : missing();
}

function missing(): Answer {
  return html(messagePage('Sorry, this page isn’t available.', 'The link may be broken, or the page removed.'), 404);
}
