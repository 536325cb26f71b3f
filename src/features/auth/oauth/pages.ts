import { brand, htmlPage, styleSource } from '../../../foundation/http/answers/html-page.ts';
import { type Scope, scopes } from '../../../foundation/http/scopes.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import type { AuthorizationRequest } from './authorize.ts';

/**
 * The pages cannot be framed, run no scripts and load only their font. A form redirects to the application at a
 * verified address. The referrer policy keeps the origin on this site, because browsers omit the origin of a form
 * without a referrer.
 */
export const pageHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'content-security-policy': `default-src 'none'; style-src ${styleSource}; font-src 'self'; form-action 'self' https: http:; base-uri 'none'; frame-ancestors 'none'`,
};

export interface SignInForm {
  /** The URL of this page, including the application's request. */
  action: string;
  clientName: string;
  email?: string;
  error?: string | undefined;
}

export const signInPage = ({ action, clientName, email = '', error }: SignInForm) =>
  page(
    'Sign in',
    `<p><strong>${escapeHtml(clientName)}</strong> wants to access your account. Sign in to review the request.</p>
${error ? alert(error) : ''}
<form method="post" action="${escapeHtml(action)}">
<p><label for="email">Email</label><input id="email" name="email" type="email" autocomplete="username" value="${escapeHtml(email)}" required></p>
<p><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required></p>
<p><button>Sign in</button></p>
</form>`,
  );

export interface CodeForm {
  action: string;
  twoFactorToken: string;
  error?: string | undefined;
}

export const codePage = ({ action, twoFactorToken, error }: CodeForm) =>
  page(
    'Enter your code',
    `<p>Enter the six-digit code from your authenticator app, or a recovery code.</p>
${error ? alert(error) : ''}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="twoFactorToken" value="${escapeHtml(twoFactorToken)}">
<p><label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" required></p>
<p><button>Sign in</button></p>
</form>`,
  );

export interface ConsentForm {
  request: AuthorizationRequest;
  email: string;
  consent: string;
}

/** The name of the checkbox that grants this scope. */
export const scopeField = (scope: Scope) => `scope_${scope}`;

export const consentPage = ({ request: { client, redirectUri, scopes: asked }, email, consent }: ConsentForm) =>
  page(
    'Approve access',
    `<p>An app that calls itself <strong>${escapeHtml(client.name)}</strong> wants to access the account <strong>${escapeHtml(email)}</strong>.</p>
<p>It gets an API key that works until you revoke it. Only approve if you just started this in the app.</p>
<p>You’ll be redirected to <strong>${escapeHtml(new URL(redirectUri).host)}</strong>.</p>
<form method="post" action="/authorize">
<input type="hidden" name="consent" value="${escapeHtml(consent)}">
<fieldset class="scopes"><legend>Permissions for all channels</legend>
${asked.map(scopeBox).join('\n')}
</fieldset>
<p class="buttons"><button name="decision" value="approve">Approve</button><button name="decision" value="deny" class="quiet">Deny</button></p>
</form>`,
  );

const scopeBox = (scope: Scope) =>
  `<label><input type="checkbox" name="${scopeField(scope)}" checked><span>${scope}<small>${scopes[scope]}</small></span></label>`;

export const refusalPage = (error: string) => page('Something went wrong', alert(error));

const alert = (text: string) => `<p role="alert" class="bad">${escapeHtml(text)}</p>`;

const page = (title: string, content: string) =>
  htmlPage(title, `<main class="form">\n${brand}\n<h1>${title}</h1>\n${content}\n</main>`);
