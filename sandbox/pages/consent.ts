import { unusedHandle } from '../accounts.ts';
import { type HttpResponse, html } from '../http/http-response.ts';
import type { Call } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import { accountLink } from './account.ts';
import { escapeHtml } from './escape.ts';
import { layout } from './layout.ts';

export interface Consent {
  /** The name of the app that asks for access. */
  readonly app: string;
  readonly scopes: readonly string[];
  /** The accounts to choose from. The page always offers a new account as well. */
  readonly accounts: readonly Account[];
}

/** The form posts to its own address, where `readConsent` reads the choice. */
export function consentPage(call: Call, { app, scopes, accounts }: Consent): string {
  const name = escapeHtml(call.platform.name);
  return layout({
    title: `Allow ${app}? · ${call.platform.name}`,
    main: `<form class="card consent" method="post">
<h1>${escapeHtml(app)} wants to use your ${name} account</h1>
<p class="note">This is not the real ${name}: the sandbox simulates ${escapeHtml(call.host)} on this machine. No password is needed, and nothing leaves this machine.</p>
${accountFields(call, accounts)}
<details><summary>${scopes.length === 1 ? 'The permission' : `The ${scopes.length} permissions`} requested</summary>
<ul class="scopes">${scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('')}</ul></details>
<div class="buttons"><button class="primary" name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></div>
</form>`,
  });
}

/**
 * The account chooser, for `readConsent`. A new account comes first, because existing accounts may belong to other
 * users of this sandbox. The style sheet shows the handle field only with the new account, so that no input is ignored.
 */
export function accountFields({ sandbox, platform }: Call, accounts: readonly Account[]): string {
  const others = accounts.map(
    (account) =>
      `<label class="choice"><input type="radio" name="account" value="${escapeHtml(account.id)}">${asText(accountLink(account))}</label>`,
  );
  return `<fieldset class="which"><legend>Which account?</legend>
<label class="choice"><input type="radio" name="account" value="new" checked>A new account</label>
<label class="field">User name of the new account <input name="handle" value="${unusedHandle(sandbox, platform)}" aria-describedby="made-up" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<p class="field note" id="made-up">This is a generated name. Keep it, or type another one.</p>
${others.length > 0 ? '<p class="note">Existing accounts of this sandbox, including those of other users. Choose yours to connect it again.</p>' : ''}
${others.join('\n')}
</fieldset>`;
}

export function invalidHandlePage({ platform }: Call): HttpResponse {
  const main = `<section class="card"><h1>This user name is not allowed</h1>
<p>${escapeHtml(platform.accounts.handleRule)} Nothing was connected.</p>
<p><a href="">Choose another user name</a></p></section>`;
  return html(layout({ title: 'This user name is not allowed', main }), 422);
}

/** A link inside a label would catch the click meant for the radio button. */
function asText(link: string): string {
  return link.replace(/^<a class="account"[^>]*>/, '<span class="account">').replace(/<\/a>$/, '</span>');
}
