import type { AddedAccess, MailData, MailKind } from './mails.ts';

/** What a mail says. Its plain text and its HTML are both made from this. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** The first one is the button. */
  links: { label: string; url: string }[];
  /** Why the reader gets the mail, and what to do if it is a mistake. */
  smallPrint: string[];
}

export function contentOf<Kind extends MailKind>(kind: Kind, data: MailData[Kind]): MailContent {
  return contents[kind](data);
}

export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(contents, kind);

const contents: { [Kind in MailKind]: (data: MailData[Kind]) => MailContent } = {
  verify_email: ({ link }) => ({
    subject: 'Confirm your e-mail address',
    heading: 'Confirm your e-mail address',
    paragraphs: [
      'You signed up for Crier with this address. Confirm that it is yours and choose a password, and your account is ready.',
    ],
    links: [{ label: 'Confirm address', url: link }],
    smallPrint: [linkIsSecret, 'If you did not sign up, ignore this mail: the account stays closed.'],
  }),

  already_signed_up: ({ signInUrl, resetUrl }) => ({
    subject: 'You already have a Crier account',
    heading: 'You already have an account',
    paragraphs: [
      'Somebody tried to sign up for Crier with this address, which has an account already. If it was you, sign in, or ' +
        'choose a new password if you have forgotten yours.',
    ],
    links: [
      { label: 'Sign in', url: signInUrl },
      { label: 'Choose a new password', url: resetUrl },
    ],
    smallPrint: ['If it was not you, ignore this mail: nothing has changed.'],
  }),

  invitation: ({ link, expiresAt }) => ({
    subject: 'You are invited to Crier',
    heading: 'You are invited',
    paragraphs: [
      'You can have an account at this Crier. It publishes your posts to your social networks, now or at the time you ask for.',
    ],
    links: [{ label: 'Create your account', url: link }],
    smallPrint: [
      `The invitation is for this address alone and ends on ${readableTime(expiresAt)}.`,
      'If you did not expect it, ignore this mail.',
    ],
  }),

  reset_password: ({ link }) => ({
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    paragraphs: [
      'A new password was asked for your Crier account. Choosing one signs you out everywhere. Until then, your old ' +
        'password works.',
    ],
    links: [{ label: 'Choose a new password', url: link }],
    smallPrint: [linkIsSecret, 'If you did not ask for it, ignore this mail: nothing has changed.'],
  }),

  password_changed: ({ at, otherAccess }) => ({
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your Crier account was changed on ${readableTime(at)}.`,
      ...(otherAccess === 'ended' ? [`Everything else that had access to it has ended: ${otherAccessList}.`] : []),
      ...(otherAccess === 'kept' ? [`What else has access to it still works: ${otherAccessList}.`] : []),
    ],
    links: [],
    smallPrint: ['If it was not you, reset your password at once, and tell the operator of this Crier.'],
  }),

  confirm_new_email: ({ link }) => ({
    subject: 'Confirm your new e-mail address',
    heading: 'Confirm your new e-mail address',
    paragraphs: ['Somebody wants to use this address for their Crier account. Confirm that it is yours.'],
    links: [{ label: 'Confirm address', url: link }],
    smallPrint: [linkIsSecret, 'If it was not you, ignore this mail: nothing changes.'],
  }),

  email_change_requested: ({ newEmail, at, resetUrl }) => ({
    subject: 'Another e-mail address was asked for',
    heading: 'Another e-mail address was asked for',
    paragraphs: [
      `On ${readableTime(at)} somebody who knows your password asked to change the address of your Crier account to ` +
        `${newEmail}. It changes when the link that we sent to the new address is opened, within an hour.`,
      'If it was you, there is nothing to do here. If it was not you, choose a new password now: it ends this request and ' +
        'signs everyone out.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['Until that link is opened, your account keeps this address.'],
  }),

  email_changed: ({ newEmail, at }) => ({
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    paragraphs: [
      `On ${readableTime(at)} the address of your Crier account became ${newEmail}. You sign in with it from now on.`,
    ],
    links: [],
    smallPrint: [
      'If it was not you, tell the operator of this Crier at once: this address no longer opens the account.',
    ],
  }),

  passkey_added: ({ name, at, address, device, resetUrl }) => ({
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added',
    paragraphs: [
      `The passkey ${name} was added to your Crier account on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. It signs in without your password.`,
      'If it was you, there is nothing to do. If it was not you, choose a new password now. The page also removes all passkeys, ' +
        'unless you untick that.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['The security settings list all your passkeys.'],
  }),

  access_added: ({ what, name, at, address, device, resetUrl }) => ({
    subject: `${accessWords[what].added} to your account`,
    heading: accessWords[what].added,
    paragraphs: [
      `The ${what} ${name} was added to your Crier account on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. ${accessWords[what].can}`,
      'If it was you, there is nothing to do. If it was not you, choose a new password now. The page also ends the access of ' +
        'everything that was added, unless you untick that.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['The Developers page lists all API keys, applications and webhooks.'],
  }),

  two_factor_enabled: ({ at, address, device, resetUrl }) => ({
    subject: 'Two-factor sign-in is on',
    heading: 'Two-factor sign-in is on',
    paragraphs: [
      `Two-factor sign-in was switched on for your Crier account on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. Your password alone no longer opens the account.`,
      'If it was you, there is nothing to do. If it was not you, choose a new password now, and ask the operator of this Crier ' +
        'to switch two-factor sign-in off: only the person who switched it on has the codes.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['All other sessions of the account have ended.'],
  }),

  recovery_codes_replaced: ({ at, address, device, resetUrl }) => ({
    subject: 'Your recovery codes were replaced',
    heading: 'Your recovery codes were replaced',
    paragraphs: [
      `New recovery codes for your Crier account were made on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. The earlier ones no longer work.`,
      'If it was you, there is nothing to do. If it was not you, choose a new password now, then replace the recovery codes ' +
        'again in the security settings.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['Each recovery code signs in once without the authenticator app.'],
  }),

  wrong_codes: ({ at, address, device, resetUrl }) => ({
    subject: 'Someone knows your password',
    heading: 'Wrong codes after your password',
    paragraphs: [
      `On ${readableTime(at)} someone entered the correct password of your Crier account and then several wrong codes, with ` +
        `${device}${address ? `, from ${address}` : ''}. They did not get in.`,
      'If it was you, there is nothing to do. If it was not you, choose a new password now: codes cannot be tried without it.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: [
      'After ten wrong codes, codes of the app are refused in new places for a time. A recovery code, a passkey, and devices that ' +
        'signed in before still work.',
      'You get this mail at most once a day.',
    ],
  }),

  workspace_joined: ({ owner, ownerEmail, at, settingsUrl, resetUrl }) => ({
    subject: `You joined the workspace of ${owner}`,
    heading: 'You joined a workspace',
    paragraphs: [
      `Your Crier account joined the workspace of ${owner} (${ownerEmail}) on ${readableTime(at)}. Its owner can now post from ` +
        'your channels, connect others, and make API keys for your account.',
      'If it was you, there is nothing to do. You can leave at any time in the security settings. If it was not you, choose a ' +
        'new password now. The page also ends the membership, unless you untick that.',
    ],
    links: [
      { label: 'Choose a new password', url: resetUrl },
      { label: 'Security settings', url: settingsUrl },
    ],
    smallPrint: ['A user joins with a token that was made while signed in to your account.'],
  }),

  two_factor_disabled: ({ at, byOperator }) => ({
    subject: 'Two-factor sign-in is off',
    heading: 'Two-factor sign-in is off',
    paragraphs: [
      `Two-factor sign-in of your Crier account was switched off on ${readableTime(at)}` +
        `${byOperator ? ' by the operator of this Crier' : ''}. Your password alone now opens the account.`,
      'Switch it on again as soon as you have an authenticator app at hand.',
    ],
    links: [],
    smallPrint: ['If you did not ask for it, change your password, and tell the operator of this Crier.'],
  }),

  new_sign_in: ({ at, address, device }) => ({
    subject: 'New sign-in to your account',
    heading: 'New sign-in',
    paragraphs: [
      `Somebody signed in to your Crier account on ${readableTime(at)} with ${device}${address ? `, from ${address}` : ''}.`,
      'If it was you, there is nothing to do.',
    ],
    links: [],
    smallPrint: ['If it was not you, change your password and sign out all other sessions.'],
  }),

  connection_broken: ({ network, account, reason, link }) => ({
    subject: `Reconnect ${account} on ${network}`,
    heading: `${network} no longer accepts the connection`,
    paragraphs: [
      `${network} refused the connection to ${account}: ${sentence(reason)}`,
      'Connect the account again, so that its posts can be published. Your other accounts are not affected.',
    ],
    links: [{ label: 'Connect it again', url: link }],
    smallPrint: ['You get this mail once. The next one comes only if the connection has worked in between.'],
  }),

  monthly_limit_reached: ({ plan, limit, resetAt }) => ({
    subject: 'Your posts of this month are used up',
    heading: 'Monthly limit reached',
    paragraphs: [
      `Your ${plan} plan allows ${limit} platform ${limit === 1 ? 'post' : 'posts'} per month, and a post that would ` +
        'have gone over it was refused. Posts that are scheduled already still go out.',
      `Counting starts again on ${readableTime(resetAt)}. For more before then, change your plan.`,
    ],
    links: [],
    smallPrint: ['You get this mail once a month.'],
  }),

  webhook_disabled: ({ name, url, reason }) => ({
    subject: `Webhook ${name} is switched off`,
    heading: 'A webhook is switched off',
    paragraphs: [
      `Crier no longer delivers events to the webhook ${name} at ${url}: ${sentence(reason)}`,
      'Mend the receiver, then switch the webhook on again. Deliveries that failed are kept for 30 days and can be sent again.',
    ],
    links: [],
    smallPrint: [],
  }),

  managed_email_released: ({ name, email, newEmail }) => ({
    subject: `The address of ${name} has changed`,
    heading: 'An address belongs to somebody else',
    paragraphs: [
      `The owner of ${email} has confirmed that address at Crier. Your managed user ${name} had it, and now has ${newEmail}.`,
      `Nothing else changes: ${name} keeps its connections, posts and keys.`,
    ],
    links: [],
    smallPrint: [],
  }),
};

const accessWords: Readonly<Record<AddedAccess, { added: string; can: string }>> = {
  'API key': { added: 'An API key was added', can: 'It can post from your channels without your password.' },
  application: { added: 'An application was added', can: 'It can use your account without your password.' },
  webhook: { added: 'A webhook was added', can: 'It receives what happens to your posts and channels.' },
};

const otherAccessList =
  'passkeys, API keys, connected applications, webhooks, the workspace that it is in, and what was made for managed users';

const linkIsSecret = 'The link works once and for a limited time. Do not pass it on.';

const sentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function readableTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${timeFormat.format(time)} UTC`;
}
