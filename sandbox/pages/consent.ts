import type { Call } from '../network.ts';
import type { Account } from '../store/accounts.ts';
import { accountLink } from './account.ts';
import { escapeHtml } from './escape.ts';
import { layout } from './layout.ts';

export interface Consent {
  /** The name of the app that asks. */
  readonly app: string;
  readonly scopes: readonly string[];
  /** Whom the person may choose; a new one can always be made. */
  readonly accounts: readonly Account[];
}

/** "This app wants to …": the form posts back to its own address, where `readConsent` reads the choice. */
export function consentPage(call: Call, { app, scopes, accounts }: Consent): string {
  const name = escapeHtml(call.network.name);
  const choices = accounts.map((account, index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label class="choice"><input type="radio" name="account" value="${escapeHtml(account.id)}"${checked}>${asText(accountLink(account))}</label>`;
  });
  return layout({
    title: `Allow ${app}? · ${call.network.name}`,
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
<p class="note">This is the sandbox's ${name}, at ${escapeHtml(call.host)}: no password, nothing leaves this machine.</p>
</form>`,
  });
}

/** A link inside a label would take the click from the radio button. */
function asText(link: string): string {
  return link.replace(/^<a class="account"[^>]*>/, '<span class="account">').replace(/<\/a>$/, '</span>');
}
