import { type HttpResponse, html } from '../http-response.ts';
import type { Call } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import { accountLink } from './account.ts';
import { escapeHtml } from './escape.ts';
import { layout, messagePage } from './layout.ts';

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
  const choices = accounts.map((account, index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label class="choice"><input type="radio" name="account" value="${escapeHtml(account.id)}"${checked}>${asText(accountLink(account))}</label>`;
  });
  return layout({
    title: `Allow ${app}? · ${call.platform.name}`,
    main: `<form class="card consent" method="post">
<h1>${escapeHtml(app)} wants to use your ${name} account</h1>
<p>It asks for:</p>
<ul class="scopes">${scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('')}</ul>
<fieldset><legend>Which account?</legend>
${choices.join('\n')}
<label class="choice"><input type="radio" name="account" value="new"${accounts.length === 0 ? ' checked' : ''}>A new account</label>
<label class="field">Handle of the new account <input name="handle" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="ann"></label>
</fieldset>
<div class="buttons"><button class="primary" name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></div>
<p class="note">This is the sandbox’s ${name}, at ${escapeHtml(call.host)}. It needs no password, and nothing leaves this machine.</p>
</form>`,
  });
}

export function invalidHandlePage({ platform }: Call): HttpResponse {
  return html(messagePage('This handle is not allowed', platform.accounts.handleRule), 422);
}

/** A link inside a label would receive the click that is meant for the radio button. */
function asText(link: string): string {
  return link.replace(/^<a class="account"[^>]*>/, '<span class="account">').replace(/<\/a>$/, '</span>');
}
