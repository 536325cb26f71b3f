import { randomBytes } from 'node:crypto';
import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { webhookLimits } from '../../foundation/errors/webhooks.ts';
import { webhookEventNames } from '../../foundation/events/catalogue.ts';
import { seal, webhookSecretContext } from '../../foundation/lib/seal.ts';
import { mailAccessAdded } from '../auth/sessions/access-notice.ts';
import type { AddedAccess } from '../mail/mails.ts';
import { inLockTurn } from '../users/lock-turns.ts';
import { withinQuotas } from '../users/within-quotas.ts';
import { recordWebhook, requireStillAllowed, type WebhookCaller } from './delivery/caller.ts';
import {
  type Change,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  selectWebhooks,
  updateWebhook,
  type Webhook,
} from './queries.ts';
import { maxEvents } from './schema.ts';
import { checkWebhookUrl } from './webhook-url.ts';

export { listDeliveries, resend, sendTest } from './delivery/deliveries.ts';

type WebhooksApp = Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'config' | 'publicUrl'>;
interface Input {
  name?: unknown;
  url?: unknown;
  events?: unknown;
  isActive?: unknown;
}

export async function listWebhooks({ db }: Pick<App, 'db'>, who: { userId: string }) {
  const found = await selectWebhooks(db, who.userId);
  return { success: true as const, webhooks: found.map(present) };
}

export async function createWebhook(app: WebhooksApp, who: WebhookCaller, input: Input, access: 'key' | 'session') {
  const name = nameIn(input) ?? '';
  if (!name || !input.url || !Array.isArray(input.events) || input.events.length === 0) {
    throw new Problem('webhook_fields_missing');
  }
  const url = checkWebhookUrl(input.url, access, app.config.egressAllow);
  const events = checkEvents(input.events, access);
  const [id, secret] = [app.newId(), randomBytes(32).toString('hex')];
  const sealed = seal(secret, webhookSecretContext(id), app.sealingKeys);
  const webhook = { id, userId: who.userId, name, url, events, secret: sealed };
  const store = async (tx: Db) => {
    await requireStillAllowed(app, tx, who);
    const made = await insertWebhook(tx, webhook, webhookLimits.perUser, app.clock.now());
    if (!made) throw new Problem('webhook_limit');
    await recordWebhook(app, tx, who, 'webhook_created', made);
    await mailPerson(app, tx, who, 'webhook', made);
    return made;
  };
  const stored = await inLockTurn(who.ownerId ?? who.userId, () => withinQuotas(app.db, who.userId, store));
  const { isActive, createdAt } = stored;
  return {
    success: true as const,
    webhook: { _id: id, name, url, events, secret, isActive, createdAt: createdAt.toISOString() },
  };
}

/**
 * Empty values are ignored with an API key, but count in the dashboard. Enabling a webhook in the dashboard also
 * resets its failure count.
 */
export async function changeWebhook(
  app: WebhooksApp,
  who: WebhookCaller,
  id: string,
  input: Input,
  access: 'key' | 'session',
) {
  const isGiven = (value: unknown) =>
    access === 'session' ? value !== undefined : value !== undefined && value !== null && value !== '';
  const name = nameIn(input);
  const change: Change = {
    ...(name !== undefined && isGiven(name) && { name }),
    ...(isGiven(input.url) && { url: checkWebhookUrl(input.url, access, app.config.egressAllow) }),
    ...(isGiven(input.events) && { events: checkEvents(input.events, access) }),
    ...(typeof input.isActive === 'boolean' && { isActive: input.isActive }),
    resetsFailures: access === 'session' && input.isActive === true,
  };
  return { success: true as const, webhook: present(await changeAndRecord(app, who, id, change)) };
}

/** Changes of one webhook wait for each other. */
const inWebhookTurn = <T>({ db }: WebhooksApp, { ownerId, userId }: WebhookCaller, work: (tx: Db) => Promise<T>) =>
  inLockTurn(ownerId ?? userId, () => db.transaction().execute(work));

/** Changes that affect the receiver are logged in the same transaction. */
function changeAndRecord(app: WebhooksApp, who: WebhookCaller, id: string, change: Change): Promise<Webhook> {
  return inWebhookTurn(app, who, async (tx) => {
    await requireStillAllowed(app, tx, who);
    const before = await findWebhook(tx, who.userId, id);
    const changed = await updateWebhook(tx, who.userId, id, change, app.clock.now());
    if (!before || !changed) throw new Problem('webhook_not_found');
    if (changed.url !== before.url) {
      const from = { previousHost: new URL(before.url).host };
      await recordWebhook(app, tx, who, 'webhook_address_changed', changed, from);
      await mailPerson(app, tx, who, 'webhook address', changed);
    }
    if (change.secret !== undefined) {
      await recordWebhook(app, tx, who, 'webhook_secret_replaced', changed);
      await mailPerson(app, tx, who, 'webhook secret', changed);
    }
    return changed;
  });
}

/** A webhook outlives the session, which may be stolen. The name tells whose webhook it is. */
async function mailPerson(
  app: WebhooksApp,
  tx: Db,
  { person, manager, userId }: WebhookCaller,
  what: AddedAccess,
  { name }: { name: string },
) {
  if (!person) return;
  await mailAccessAdded(app, tx, { what, name: manager ? `${name} (managed user ${userId})` : name }, person);
}

export function removeWebhook(app: WebhooksApp, who: WebhookCaller, id: string) {
  return inWebhookTurn(app, who, async (tx) => {
    const deleted = await deleteWebhook(tx, who.userId, id);
    if (!deleted) throw new Problem('webhook_not_found');
    await recordWebhook(app, tx, who, 'webhook_deleted', deleted);
    return { success: true as const };
  });
}

/** The old secret stops working immediately. */
export async function regenerateSecret(app: WebhooksApp, who: WebhookCaller, id: string) {
  const secret = randomBytes(32).toString('hex');
  const sealed = seal(secret, webhookSecretContext(id), app.sealingKeys);
  await changeAndRecord(app, who, id, { secret: sealed });
  return { success: true as const, secret };
}

function nameIn({ name }: Input): string | undefined {
  const trimmed = typeof name === 'string' ? name.trim() : undefined;
  if (trimmed && [...trimmed].length > webhookLimits.nameLength) throw new Problem('webhook_name_too_long');
  return trimmed;
}

function checkEvents(events: unknown, access: 'key' | 'session'): string[] {
  const list: unknown[] = Array.isArray(events) ? events : [events];
  if (list.length > maxEvents) throw new Problem('webhook_events_invalid');
  const unknown = list.filter((event) => !isEvent(event));
  if (Array.isArray(events) && list.length > 0 && unknown.length === 0) return [...new Set(list.filter(isEvent))];
  // With a key, unknown names are not echoed, because the contract has event names for administrators only.
  const named = access === 'session' && unknown.length > 0 ? { error: `Invalid events: ${unknown.join(', ')}` } : {};
  throw new Problem('webhook_events_invalid', named);
}

const isEvent = (event: unknown): event is string => webhookEventNames.some((name) => name === event);

const present = (webhook: Webhook) => ({
  _id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  isActive: webhook.isActive,
  failureCount: webhook.failureCount,
  lastTriggeredAt: webhook.lastTriggeredAt?.toISOString() ?? null,
  createdAt: webhook.createdAt.toISOString(),
  updatedAt: webhook.updatedAt.toISOString(),
});
