import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { connectables } from '../../../platforms/index.ts';
import type { Connectable } from '../../../platforms/kit/index.ts';
import { disconnectPerson } from '../disconnect.ts';
import { recordRefusal, selectGrantedBy } from '../queries.ts';
import { noticeBroken } from './notice-broken.ts';

type WithdrawalApp = Pick<App, 'db' | 'clock' | 'newId' | 'publicUrl' | 'sealingKeys' | 'platformAccess'>;
type Form = Readonly<Record<string, string>>;

/** The user has removed this service on the network, so their credentials no longer work. */
export async function deauthorize(app: WithdrawalApp, platform: string, form: Form): Promise<void> {
  const at = app.clock.now();
  const message = 'The account owner has revoked access for this service on the network. Reconnect the account.';
  for (const granted of await selectGrantedBy(app.db, platform, personIn(app, platform, form))) {
    await app.db.transaction().execute(async (tx) => {
      const isCurrent = await recordRefusal(tx, granted, { message, at, accountRestricted: false });
      if (isCurrent) await noticeBroken(app, tx, granted.id, message);
    });
  }
}

/** The user has requested deletion of their data. It is deleted before the response is sent. */
export async function deleteData(app: WithdrawalApp, platform: string, form: Form) {
  await disconnectPerson(app, platform, personIn(app, platform, form));
  const confirmation_code = codeFor(app.clock.now(), app.sealingKeys.current.secret);
  return { url: `${app.publicUrl}/networks/data-deletion/${confirmation_code}`, confirmation_code };
}

/** When the data for this code was deleted. Null if the code is invalid. */
export function deletionTime({ sealingKeys: { current, previous } }: Pick<App, 'sealingKeys'>, code: string) {
  const [seconds] = /^[0-9a-z]{8}/.exec(code) ?? [];
  if (seconds === undefined) return null;
  const at = new Date(Number.parseInt(seconds, 36) * 1000);
  const isOurs = [current, ...previous].some(({ secret }) => isEqual(codeFor(at, secret), code));
  return isOurs ? at : null;
}

function personIn({ platformAccess, clock }: WithdrawalApp, platform: string, form: Form): string {
  const known: Partial<Record<string, Connectable>> = connectables;
  const withdrawal = Object.hasOwn(connectables, platform) ? known[platform]?.withdrawal : undefined;
  const application = platformAccess.applications[platform];
  if (!withdrawal || !application) throw new Problem('connect_platform_unknown');
  const person = withdrawal.personIn(form, { secret: application.secret, now: clock.now() });
  if (person === null) throw new Problem('withdrawal_not_signed');
  return person;
}

/** Contains the time and proves that we issued the code, so no data about the user has to be kept. */
function codeFor(at: Date, secret: Buffer): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const proof = createHmac('sha256', secret).update(`data deletion ${seconds}`).digest('hex');
  return seconds.toString(36).padStart(8, '0') + proof.slice(0, 24);
}

const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
