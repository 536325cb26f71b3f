import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { seal } from '../../foundation/lib/seal.ts';
import { insertMail } from './queries.ts';

/** A change to how a user signs in, or an attempt to change it: when, from where and with what. */
interface ChangeNotice {
  at: string;
  address: string | null;
  device: string;
  resetUrl: string;
}

export type AddedAccess =
  | 'API key'
  | 'wider API key'
  | 'application'
  | 'webhook'
  | 'webhook address'
  | 'webhook secret'
  | 'managed key'
  | 'connection link';

/** Every mail that Crier sends, with the data its text needs. */
export interface MailData {
  verify_email: { link: string };
  /** To someone who signs up with an address that already has an account. */
  already_signed_up: { signInUrl: string; resetUrl: string };
  invitation: { link: string; expiresAt: string };
  reset_password: { link: string };
  /** `otherAccess` shows what happened to passkeys, API keys and other access, if there was any. */
  password_changed: { at: string; otherAccess?: 'ended' | 'kept' };
  /** To the new address. */
  confirm_new_email: { link: string };
  /** To the address that the account has until the change. */
  email_change_requested: { newEmail: string; at: string; resetUrl: string };
  /** To the previous address of the account. */
  email_changed: { newEmail: string; at: string };
  passkey_added: ChangeNotice & { name: string };
  /** Something other than the password can act for the user, or learn about them, from now on. */
  access_added: ChangeNotice & { what: AddedAccess; name: string };
  two_factor_enabled: ChangeNotice;
  recovery_codes_replaced: ChangeNotice;
  wrong_codes: ChangeNotice;
  /** To a user who has just joined a workspace, whose owner can act for them from now on. */
  workspace_joined: { owner: string; ownerEmail: string; at: string; settingsUrl: string; resetUrl: string };
  /** `keepUrl` is where to sign in and keep the account. */
  deletion_requested: ChangeNotice & { deletionAt: string; keepUrl: string };
  /** The account was restored from a backup that was taken before the user may have kept it. */
  deletion_postponed: { deletionAt: string; takenAt: string; keepUrl: string };
  deletion_cancelled: { at: string };
  account_deleted: { at: string };
  data_exported: ChangeNotice;
  two_factor_disabled: { at: string; byOperator: boolean };
  new_sign_in: { at: string; address: string | null; device: string };
  /** `network` and `account` are display names. */
  connection_broken: { network: string; account: string; reason: string; link: string };
  monthly_limit_reached: { plan: string; limit: number; resetAt: string };
  webhook_disabled: { name: string; url: string; reason: string };
  /** To the owner of a workspace whose managed user had someone else's address. */
  managed_email_released: { name: string; email: string; newEmail: string };
}
export type MailKind = keyof MailData;

export interface NewMail<Kind extends MailKind> {
  to: string;
  kind: Kind;
  data: MailData[Kind];
  /** Only the first mail with this key is sent. */
  once?: string;
}

/** Call it in the transaction of the cause: the mail is sent if and only if the transaction commits. */
export async function queueMail<Kind extends MailKind>(
  { clock, newId, sealingKeys }: Pick<App, 'clock' | 'newId' | 'sealingKeys'>,
  db: Db,
  { to, kind, data, once }: NewMail<Kind>,
): Promise<void> {
  const id = newId();
  const sealed = seal(JSON.stringify(data), mailContext(id), sealingKeys);
  await insertMail(db, { id, to, kind, data: sealed, once: once ?? null }, clock.now());
}

/** Binds the sealed data to its row. */
export const mailContext = (id: string) => `mail ${id}`;
