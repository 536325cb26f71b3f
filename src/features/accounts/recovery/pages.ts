import type { Problem } from '../../../foundation/errors/index.ts';
import { brand, htmlPage } from '../../../foundation/http/answers/html-page.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import type { StandingAccess } from './standing-access.ts';

/**
 * The pages behind links in emails. They work without scripts and without the dashboard. `problem` is the error of
 * the last attempt.
 */

export const resetPasswordPage = (token: string, { email, access, endAccess }: ResetPage, problem?: Problem) =>
  page('Set a new password', {
    text: [`For the account ${strong(email)}. All signed-in devices will be signed out.`],
    problem,
    form: form(
      '/reset-password',
      [hidden(token), newPassword('newPassword', 'New password'), accessList(access, endAccess)],
      'Set password',
    ),
  });

export interface ResetPage {
  email: string;
  /** Access that works without the password. */
  access: readonly StandingAccess[];
  /** Whether the checkbox to revoke it is checked. */
  endAccess: boolean;
}

/** Even with nothing to revoke, the form revokes access that is added before it is submitted. */
function accessList(access: readonly StandingAccess[], endAccess: boolean): string {
  const ending = access.filter(({ kind }) => kind !== 'member');
  const members = access.filter(({ kind }) => kind === 'member');
  if (ending.length === 0) return `<input type="hidden" name="endAccess" value="on">${memberList(members)}`;
  return `<h2>What else has access</h2>
<p>These work without your password. Clear the checkbox if you only forgot your password and still need them.</p>
${listOf(ending)}
<p><label><input type="checkbox" name="endAccess"${endAccess ? ' checked' : ''}> Revoke all of these</label></p>${memberList(members)}`;
}

/** They keep their access, because clients may be among them. */
const memberList = (members: readonly StandingAccess[]) =>
  members.length === 0
    ? ''
    : `
<h2>Who is in your workspace</h2>
<p>They use your plan and keep their access. After you sign in, remove anyone you don’t recognise.</p>
${listOf(members)}`;

function listOf(access: readonly StandingAccess[]): string {
  const rows = access.map(
    ({ kind, name, ...times }) => `<li>${accessLabels[kind]} ${strong(name)}${detailsOf(kind, times)}</li>`,
  );
  return `<ul>\n${rows.join('\n')}\n</ul>`;
}

const accessLabels = {
  passkey: 'Passkey',
  api_key: 'API key',
  application: 'Application',
  webhook: 'Webhook',
  workspace: 'Workspace of',
  member: 'Member',
  managed_keys: 'API keys of managed users:',
  managed_links: 'Connection links of managed users:',
  managed_webhooks: 'Webhooks of managed users:',
} as const satisfies Record<StandingAccess['kind'], string>;

const detailsOf = (kind: StandingAccess['kind'], times: Times) =>
  kind === 'member' ? '' : `<small>${timesOf(times)}</small>`;

type Times = Pick<StandingAccess, 'createdAt' | 'lastUsedAt'>;

function timesOf({ createdAt, lastUsedAt }: Times): string {
  if (!createdAt) return 'Its owner can act for you';
  const since = `Since ${longDate.format(createdAt)}`;
  if (lastUsedAt === undefined) return since;
  return `${since}, ${lastUsedAt ? `last used on ${longDate.format(lastUsedAt)}` : 'never used'}`;
}

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export const forgotPasswordPage = (problem?: Problem) =>
  page('Forgot your password?', {
    text: ['Enter the email address of your account. We’ll email you a link to set a new password.'],
    problem,
    form: askForLink(),
  });

/** `outcome` is the same for every address. */
export const linkSentPage = (outcome: string) => page('Check your inbox', { text: [escapeHtml(outcome)] });

export const verifyEmailPage = (token: string, { email, name }: { email: string; name: string }, problem?: Problem) =>
  page('Verify your email address', {
    text: [
      `Choose a password for your new account ${strong(email)} with the name ${strong(name)}.`,
      'If you didn’t sign up, close this page. No account will be created.',
    ],
    problem,
    form: form('/verify-email', [hidden(token), newPassword('password', 'Password')], 'Create account'),
  });

export const confirmEmailPage = (
  token: string,
  { email, newEmail }: { email: string; newEmail: string },
  problem?: Problem,
) =>
  page('Confirm your new email address', {
    text: [
      `The email address of the account ${strong(email)} will change to ${strong(newEmail)}.`,
      'If this wasn’t you, close this page. Nothing will change.',
    ],
    problem,
    form: form('/confirm-email', [hidden(token)], 'Change address'),
  });

export interface SignUpPage {
  invitation: { token: string; email: string } | null;
  /** False if the page behind the emailed link asks for it. */
  asksPassword: boolean;
}

export const signUpPage = ({ invitation, asksPassword }: SignUpPage, problem?: Problem) =>
  page('Create account', {
    text: invitation ? [`You’re invited to sign up with the address ${strong(invitation.email)}.`] : [],
    problem,
    form: form(
      '/sign-up',
      [
        ...(invitation ? [hidden(invitation.token)] : [email()]),
        field('name', 'Name (optional)', 'autocomplete="name" maxlength="100"'),
        ...(asksPassword ? [newPassword('password', 'Password')] : []),
      ],
      'Create account',
    ),
  });

export const signUpRefusedPage = (problem: Problem) => page('Sign-up failed', { text: [], problem });

export const donePage = (title: string, text: string) =>
  page(title, { text: [escapeHtml(text)], isDone: true, form: '<p><a class="button" href="/">Sign in</a></p>' });

/** For expired or used links: how to get a new one. */
export const goneLinkPages = {
  password: () => page('This link does not work', { text: [gone, 'Request a new one:'], form: askForLink() }),
  verification: () =>
    page('This link does not work', {
      text: [
        `${gone} If you already used it, sign in.`,
        'Otherwise <a href="/sign-up">sign up again</a> to get a new one.',
      ],
    }),
  emailChange: () =>
    page('This link does not work', {
      text: [`${gone} If you haven’t used it yet, change your address again in the settings to get a new one.`],
    }),
  invitation: () =>
    page('This link does not work', {
      text: [`${gone} If you already used it, sign in. Otherwise ask the person who invited you for a new one.`],
    }),
} as const;

const gone = 'It has expired, was already used or is incomplete.';

interface Content {
  /** Paragraphs of HTML. */
  text: readonly string[];
  problem?: Problem | undefined;
  isDone?: boolean;
  /** HTML below the text. */
  form?: string;
}

const page = (title: string, { text, problem, isDone = false, form = '' }: Content) =>
  htmlPage(
    title,
    `<main class="form">
${brand}
<h1>${title}</h1>
${problem ? alert(problem) : ''}
${text.map((paragraph) => `<p${isDone ? ' role="status" class="good"' : ''}>${paragraph}</p>`).join('\n')}
${form}
${isDone ? '' : '<p class="next"><a href="/">Go to sign-in</a></p>'}
</main>`,
  );

function alert({ body, key, hint }: Problem): string {
  const more = key === 'weak_password' || problemsOfOperator.has(key) ? hint : undefined;
  const sentences = [body.error, body.message, more].filter((one) => typeof one === 'string').map(sentence);
  return `<p role="alert" class="bad">${escapeHtml(sentences.join(' '))}</p>`;
}

/** Their hints are useful to users, not only to API clients. */
const problemsOfOperator = new Set<string>(['sign_up_closed', 'invitation_required']);

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const strong = (text: string) => `<strong>${escapeHtml(text)}</strong>`;

const form = (action: string, fields: readonly string[], button: string) =>
  `<form method="post" action="${action}">\n${fields.join('\n')}\n<p><button>${button}</button></p>\n</form>`;

const askForLink = () => form('/forgot-password', [email()], 'Send link');

const hidden = (token: string) => `<input type="hidden" name="token" value="${escapeHtml(token)}">`;

const email = () => field('email', 'Email', 'type="email" autocomplete="username" required maxlength="254"');

const newPassword = (name: string, label: string) =>
  field(name, label, 'type="password" autocomplete="new-password" required minlength="8" maxlength="128"');

const field = (name: string, label: string, attributes: string) =>
  `<p><label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes}></p>`;
