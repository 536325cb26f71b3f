import type { AddedAccess, MailData, MailKind } from './mails.ts';

/** The content of a mail. Both its plain text and its HTML are generated from this. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** The first one is shown as a button. */
  links: { label: string; url: string }[];
  /** Why the recipient gets the mail, and what to do if it is a mistake. */
  smallPrint: string[];
}

export function contentOf<Kind extends MailKind>(kind: Kind, data: MailData[Kind]): MailContent {
  return contents[kind](data);
}

export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(contents, kind);

const contents: { [Kind in MailKind]: (data: MailData[Kind]) => MailContent } = {
  verify_email: ({ link }) => ({
    subject: 'Confirm your email address',
    heading: 'Confirm your email address',
    paragraphs: [
      'You signed up for Crier with this address. To finish, confirm that it is yours and choose a password.',
    ],
    links: [{ label: 'Confirm address', url: link }],
    smallPrint: [linkIsSecret, 'If you did not sign up, ignore this email: no account will be created.'],
  }),

  already_signed_up: ({ signInUrl, resetUrl }) => ({
    subject: 'You already have a Crier account',
    heading: 'You already have an account',
    paragraphs: [
      'Someone tried to sign up for Crier with this address, which already has an account. If this was you, sign in, or ' +
        'choose a new password if you have forgotten your old one.',
    ],
    links: [
      { label: 'Sign in', url: signInUrl },
      { label: 'Choose a new password', url: resetUrl },
    ],
    smallPrint: ['If this was not you, ignore this email: nothing has changed.'],
  }),

  invitation: ({ link, expiresAt }) => ({
    subject: 'You are invited to Crier',
    heading: 'You are invited',
    paragraphs: [
      'You have been invited to create an account on this Crier instance, which publishes posts to your social networks, ' +
        'immediately or when you choose.',
    ],
    links: [{ label: 'Create your account', url: link }],
    smallPrint: [
      `The invitation is for this address only and expires on ${readableTime(expiresAt)}.`,
      'If you did not expect it, ignore this email.',
    ],
  }),

  reset_password: ({ link }) => ({
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    paragraphs: [
      'Someone requested a new password for your Crier account. Choosing one signs you out everywhere. Until then, your old ' +
        'password keeps working.',
    ],
    links: [{ label: 'Choose a new password', url: link }],
    smallPrint: [linkIsSecret, 'If you did not request it, ignore this email: nothing has changed.'],
  }),

  password_changed: ({ at, otherAccess }) => ({
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your Crier account was changed on ${readableTime(at)}.`,
      ...(otherAccess === 'ended' ? [`All other access to it has ended: ${otherAccessList}.`] : []),
      ...(otherAccess === 'kept' ? [`All other access to it still works: ${otherAccessList}.`] : []),
    ],
    links: [],
    smallPrint: [
      'If this was not you, reset your password immediately and contact the operator of this Crier instance.',
    ],
  }),

  confirm_new_email: ({ link }) => ({
    subject: 'Confirm your new email address',
    heading: 'Confirm your new email address',
    paragraphs: ['Someone wants to use this address for their Crier account. Confirm that it is yours.'],
    links: [{ label: 'Confirm address', url: link }],
    smallPrint: [linkIsSecret, 'If this was not you, ignore this email: nothing will change.'],
  }),

  email_change_requested: ({ newEmail, at, resetUrl }) => ({
    subject: 'Someone asked to change your email address',
    heading: 'Someone asked to change your email address',
    paragraphs: [
      `On ${readableTime(at)}, someone who knows your password asked to change the address of your Crier account to ` +
        `${newEmail}. It changes once the link sent to the new address is opened, within an hour.`,
      'If this was you, no action is needed. If not, choose a new password now: this cancels the request and ' +
        'signs out all devices.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['Until that link is opened, your account keeps this address.'],
  }),

  email_changed: ({ newEmail, at }) => ({
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    paragraphs: [
      `On ${readableTime(at)}, the address of your Crier account was changed to ${newEmail}. Use it to sign in from now on.`,
    ],
    links: [],
    smallPrint: [
      'If this was not you, contact the operator of this Crier instance immediately: you can no longer sign in with this address.',
    ],
  }),

  passkey_added: ({ name, at, address, device, resetUrl }) => ({
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added',
    paragraphs: [
      `The passkey ${name} was added to your Crier account on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. It signs you in without your password.`,
      'If this was you, no action is needed. If not, choose a new password now. That page also removes all passkeys, ' +
        'unless you clear the checkbox.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['Your passkeys are listed in the security settings.'],
  }),

  access_added: ({ what, name, at, address, device, resetUrl }) => ({
    subject: accessWords[what].subject,
    heading: accessWords[what].subject,
    paragraphs: [
      `${accessWords[what].happened(name)} on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. ${accessWords[what].can}`,
      'If this was you, no action is needed. If not, choose a new password now. That page also ends all added access, ' +
        'unless you clear the checkbox.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['Your keys, applications and webhooks are listed under “API”.'],
  }),

  two_factor_enabled: ({ at, address, device, resetUrl }) => ({
    subject: 'Two-factor sign-in is on',
    heading: 'Two-factor sign-in is on',
    paragraphs: [
      `Two-factor sign-in was turned on for your Crier account on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. Signing in now takes a code as well as your password.`,
      'If this was you, no action is needed. If not, choose a new password now, and ask the operator of this Crier ' +
        'instance to turn off two-factor sign-in: only the person who turned it on has the codes.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['All other sessions of the account have ended.'],
  }),

  recovery_codes_replaced: ({ at, address, device, resetUrl }) => ({
    subject: 'Your recovery codes were replaced',
    heading: 'Your recovery codes were replaced',
    paragraphs: [
      `New recovery codes for your Crier account were created on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. The earlier ones no longer work.`,
      'If this was you, no action is needed. If not, choose a new password now, then replace the recovery codes ' +
        'again in the security settings.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['Each recovery code signs you in once without the authenticator app.'],
  }),

  wrong_codes: ({ at, address, device, resetUrl }) => ({
    subject: 'Someone knows your password',
    heading: 'Wrong codes after your password',
    paragraphs: [
      `On ${readableTime(at)}, someone entered the correct password for your Crier account and then several wrong codes, with ` +
        `${device}${address ? `, from ${address}` : ''}. They did not get in.`,
      'If this was you, no action is needed. If not, choose a new password now: without the password, no one can try codes.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: [
      'After ten wrong codes, new devices cannot use codes from the app for a while. Recovery codes, passkeys, and devices ' +
        'you have signed in on before still work.',
      'You get this email at most once a day.',
    ],
  }),

  workspace_joined: ({ owner, ownerEmail, at, settingsUrl, resetUrl }) => ({
    subject: `You joined ${owner}’s workspace`,
    heading: 'You joined a workspace',
    paragraphs: [
      `Your Crier account joined the workspace of ${owner} (${ownerEmail}) on ${readableTime(at)}. Its owner can now post to ` +
        'your channels, connect others, and create API keys for your account.',
      'If this was you, no action is needed, and you can leave at any time in the security settings. If not, choose a ' +
        'new password now. That page also ends the membership, unless you clear the checkbox.',
    ],
    links: [
      { label: 'Choose a new password', url: resetUrl },
      { label: 'Security settings', url: settingsUrl },
    ],
    smallPrint: ['Joining takes a token that someone signed in to your account has created.'],
  }),

  two_factor_disabled: ({ at, byOperator }) => ({
    subject: 'Two-factor sign-in is off',
    heading: 'Two-factor sign-in is off',
    paragraphs: [
      `Two-factor sign-in was turned off for your Crier account on ${readableTime(at)}` +
        `${byOperator ? ' by the operator of this Crier instance' : ''}. Your password alone now opens the account.`,
      'Turn it on again once you have an authenticator app.',
    ],
    links: [],
    smallPrint: ['If you did not request this, change your password and contact the operator of this Crier instance.'],
  }),

  deletion_requested: ({ deletionAt, keepUrl, at, address, device, resetUrl }) => ({
    subject: 'Your account will be deleted',
    heading: `Your account will be deleted on ${readableTime(deletionAt)}`,
    paragraphs: [
      `The deletion of your Crier account was requested on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. Crier no longer publishes for it, and its API keys can only read. ` +
        `On ${readableTime(deletionAt)}, all its channels, posts, files and brands are deleted permanently.`,
      'If you change your mind, sign in before then and choose “Keep my account”. If this was not you, choose a new ' +
        'password first.',
    ],
    links: [
      { label: 'Keep my account', url: keepUrl },
      { label: 'Choose a new password', url: resetUrl },
    ],
    smallPrint: ['Published posts stay on their networks.'],
  }),

  deletion_postponed: ({ deletionAt, takenAt, keepUrl }) => ({
    subject: 'Do you want to keep your account?',
    heading: `Your account will be deleted on ${readableTime(deletionAt)}`,
    paragraphs: [
      `Crier was restored from a backup of ${readableTime(takenAt)}, made after you requested the deletion of your account. ` +
        'If you chose to keep the account later, that choice was lost.',
      `To keep the account, sign in before ${readableTime(deletionAt)} and choose “Keep my account”. Until then, Crier ` +
        'publishes nothing for it. To have it deleted, do nothing.',
    ],
    links: [{ label: 'Keep my account', url: keepUrl }],
    smallPrint: ['Published posts stay on their networks.'],
  }),

  deletion_cancelled: ({ at }) => ({
    subject: 'Your account will not be deleted',
    heading: 'Your account will not be deleted',
    paragraphs: [
      `The deletion of your Crier account was cancelled on ${readableTime(at)}. Everything works as before.`,
      'Posts that came due in the meantime are now drafts. To publish them, schedule them again.',
    ],
    links: [],
    smallPrint: ['If this was not you, change your password and sign out all other sessions.'],
  }),

  account_deleted: ({ at }) => ({
    subject: 'Your account was deleted',
    heading: 'Your account was deleted',
    paragraphs: [
      `Your Crier account was deleted on ${readableTime(at)}, with its channels, posts, files and brands. Published posts ` +
        'stay on their networks.',
    ],
    links: [],
    smallPrint: ['This is the last email to this address. The log of security events is kept for a year.'],
  }),

  data_exported: ({ at, address, device, resetUrl }) => ({
    subject: 'Your data was exported',
    heading: 'Your data was exported',
    paragraphs: [
      `An export of your Crier account was downloaded on ${readableTime(at)} with ${device}` +
        `${address ? `, from ${address}` : ''}. It contains your posts and everything else in the account, except passwords and keys.`,
      'If this was you, no action is needed. If not, choose a new password now.',
    ],
    links: [{ label: 'Choose a new password', url: resetUrl }],
    smallPrint: ['You get this email at most once an hour.'],
  }),

  new_sign_in: ({ at, address, device }) => ({
    subject: 'New sign-in to your account',
    heading: 'New sign-in',
    paragraphs: [
      `Someone signed in to your Crier account on ${readableTime(at)} with ${device}${address ? `, from ${address}` : ''}.`,
      'If this was you, no action is needed.',
    ],
    links: [],
    smallPrint: ['If this was not you, change your password and sign out all other sessions.'],
  }),

  connection_broken: ({ network, account, reason, link }) => ({
    subject: `Reconnect ${account} on ${network}`,
    heading: `${network} no longer accepts the connection`,
    paragraphs: [
      `${network} refused the connection to ${account}: ${sentence(reason)}`,
      'Reconnect the account so that its posts can be published. Your other accounts are not affected.',
    ],
    links: [{ label: 'Reconnect', url: link }],
    smallPrint: ['You get this email once, and again only if the connection recovers and then fails again.'],
  }),

  monthly_limit_reached: ({ plan, limit, resetAt }) => ({
    subject: 'You have reached your monthly post limit',
    heading: 'Monthly limit reached',
    paragraphs: [
      `Your ${plan} plan allows ${limit} platform ${limit === 1 ? 'post' : 'posts'} per month, and a post beyond that ` +
        'limit was refused. Posts that are already scheduled will still be published.',
      `The limit resets on ${readableTime(resetAt)}. To publish more before then, change your plan.`,
    ],
    links: [],
    smallPrint: ['You get this email once a month.'],
  }),

  webhook_disabled: ({ name, url, reason }) => ({
    subject: `Webhook ${name} is disabled`,
    heading: 'A webhook is disabled',
    paragraphs: [
      `Crier no longer delivers events to the webhook ${name} at ${url}: ${sentence(reason)}`,
      'Fix the receiver, then enable the webhook again. Failed deliveries are kept for 30 days and can be resent.',
    ],
    links: [],
    smallPrint: [],
  }),

  managed_email_released: ({ name, email, newEmail }) => ({
    subject: `${name} has a new address`,
    heading: 'An address belongs to someone else',
    paragraphs: [
      `The owner of ${email} has confirmed that address with Crier. Your managed user ${name} had it before, and now has ${newEmail}.`,
      `Nothing else changes: ${name} keeps its connections, posts and keys.`,
    ],
    links: [],
    smallPrint: [],
  }),
};

interface AccessWords {
  subject: string;
  happened(name: string): string;
  can: string;
}

const receives = 'It is notified about your posts and channels.';

const accessWords: Readonly<Record<AddedAccess, AccessWords>> = {
  'API key': {
    subject: 'An API key was added to your account',
    happened: (name) => `The API key ${name} was added to your Crier account`,
    can: 'It can post from your channels without your password.',
  },
  'wider API key': {
    subject: 'An API key has fewer limits',
    happened: (name) => `Limits on the API key ${name} of your Crier account were removed`,
    can: 'It has more scopes, expires later, or works from more addresses than before.',
  },
  application: {
    subject: 'An application was added to your account',
    happened: (name) => `The application ${name} was added to your Crier account`,
    can: 'It can use your account without your password.',
  },
  webhook: {
    subject: 'A webhook was added to your account',
    happened: (name) => `The webhook ${name} was added to your Crier account`,
    can: receives,
  },
  'webhook address': {
    subject: 'A webhook has a new address',
    happened: (name) => `The webhook ${name} of your Crier account was given a new address`,
    can: receives,
  },
  'webhook secret': {
    subject: 'A webhook has a new secret',
    happened: (name) => `The webhook ${name} of your Crier account was given a new secret`,
    can: 'Anyone who has it can sign requests to your receiver.',
  },
  'managed key': {
    subject: 'An API key for a managed user was created',
    happened: (name) => `An API key for your managed user ${name} was created`,
    can: 'It can post from that user’s channels without your password.',
  },
  'connection link': {
    subject: 'A connection link for a managed user was created',
    happened: (name) => `A connection link for your managed user ${name} was created`,
    can: 'Anyone who opens it can connect channels for that user without your password.',
  },
};

const otherAccessList =
  'passkeys, API keys, connected applications, webhooks, workspace membership, and access created for managed users';

const linkIsSecret = 'The link works once and for a limited time. Do not share it.';

const sentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function readableTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${timeFormat.format(time)} UTC`;
}
