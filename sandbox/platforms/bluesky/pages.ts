import { file, type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { accountFields, invalidHandlePage, readConsent } from '../../oauth/oauth.ts';
import { accountLink } from '../../pages/account.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { escapeHtml } from '../../pages/escape.ts';
import { layout, messagePage } from '../../pages/layout.ts';
import { accountPage, postPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import { addAppPassword, findActor } from './accounts.ts';
import { findBlob } from './blobs.ts';
import { postCollection } from './indexing.ts';
import { uriOf } from './repo/repo.ts';

export function homePage(): HttpResponse {
  return redirect('/feed/bluesky');
}

export function profilePage(call: Call): HttpResponse {
  const account = findActor(call.sandbox, call.params.actor ?? '');
  return account ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
}

/** The actor is a handle or a DID. */
export function postPageOf(call: Call): HttpResponse {
  const { actor = '', rkey = '' } = call.params;
  const did = findActor(call.sandbox, actor)?.id ?? actor;
  const post = call.sandbox.store.posts.find('bluesky', uriOf(did, postCollection, rkey));
  return post ? html(postPage(call.sandbox, call.platform, post)) : notFoundPage();
}

export function cdnImage(call: Call): HttpResponse {
  const { size, did = '', name = '' } = call.params;
  if (size === 'avatar') return avatarImage(findActor(call.sandbox, did)?.displayName ?? '?');
  const blob = findBlob(call.sandbox, did, name.replace(/@\w+$/, ''));
  return blob ? file(call.sandbox.store.files.path(blob.sha256), blob.mimeType) : notFoundPage();
}

/** The page on which users create app passwords. */
export function appPasswordForm(call: Call): HttpResponse {
  const accounts = call.sandbox.store.accounts.list('bluesky');
  return html(
    layout({
      title: 'App passwords · Bluesky',
      main: `<form class="card consent" method="post">
<h1>Add an app password</h1>
${accountFields(call, accounts)}
<div class="buttons"><button class="primary" name="decision" value="allow">Create app password</button></div>
</form>`,
    }),
  );
}

export function createAppPassword(call: Call): HttpResponse {
  const account = readConsent(call);
  if (typeof account === 'string') return invalidHandlePage(call);
  const password = addAppPassword(call.sandbox, account);
  return html(
    layout({
      title: 'App password · Bluesky',
      main: `<section class="card"><h1>Here is your app password</h1><p>${accountLink(account)}</p>
<p><code>${escapeHtml(password)}</code></p><p class="note">Copy it now. It is not shown again.</p></section>`,
    }),
  );
}

function notFoundPage(): HttpResponse {
  return html(messagePage('Not found', 'This page does not exist on the sandbox’s Bluesky.'), 404);
}
