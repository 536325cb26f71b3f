import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { webhookTest } from '../../../foundation/events/catalogue.ts';
import { readInTurn } from '../../../foundation/http/answers/long-reads.ts';
import { findWebhook, type Webhook } from '../queries.ts';
import { type DeliveryRow, insertTestDelivery, restartDelivery, selectDeliveries } from './delivery-log-queries.ts';

interface Caller {
  userId: string;
}

const maxListed = 100;

/** The latest deliveries of a webhook, each with its latest attempts. */
export async function listDeliveries(app: Pick<App, 'db'>, who: Caller & { ownerId: string }, webhookId: string) {
  const { id, isActive } = await requireWebhook(app, who, webhookId);
  const rows = await readInTurn(who.ownerId, () => selectDeliveries(app.db, id, maxListed), charactersIn);
  const deliveries = rows.map(({ id: _id, event, status, body, runAt, createdAt, attempts }) => ({
    _id,
    event,
    status,
    attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
    nextAttemptAt: (isActive && runAt?.toISOString()) || null,
    createdAt: createdAt.toISOString(),
    body,
  }));
  return { success: true as const, deliveries };
}

const charactersIn = (rows: readonly DeliveryRow[]) =>
  rows.reduce(
    (sum, { body, attempts }) => attempts.reduce((total, { answer }) => total + answer.length, sum + body.length),
    0,
  );

export async function resend({ db, clock }: Pick<App, 'db' | 'clock'>, who: Caller, deliveryId: string) {
  const found = await restartDelivery(db, who.userId, deliveryId, clock.now());
  if (!found) throw new Problem('delivery_not_found');
  if (!found.isActive) throw new Problem('webhook_inactive');
  return { success: true as const, deliveryId: found.id };
}

/** A test is sent like any other delivery. */
export async function sendTest(app: Pick<App, 'db' | 'clock' | 'newId'>, who: Caller, webhookId: string) {
  const webhook = await requireWebhook(app, who, webhookId);
  if (!webhook.isActive) throw new Problem('webhook_inactive');
  const [id, now] = [app.newId(), app.clock.now()];
  const event = webhookTest.emit({ webhookId: webhook.id, name: webhook.name }, now);
  await insertTestDelivery(app.db, { ...event, id, webhookId: webhook.id, now });
  return { success: true as const, deliveryId: id };
}

async function requireWebhook({ db }: Pick<App, 'db'>, who: Caller, id: string): Promise<Webhook> {
  const found = await findWebhook(db, who.userId, id);
  if (!found) throw new Problem('webhook_not_found');
  return found;
}
