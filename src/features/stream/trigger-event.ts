import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { type WebhookEventName, webhookEvents } from '../../foundation/events/catalogue.ts';
import { insertTestEvent } from './queries.ts';

/** Sends an event with example data to streams of webhook events. */
export async function triggerEvent(
  { db, clock, newId }: Pick<App, 'db' | 'clock' | 'newId'>,
  { userId }: { userId: string },
  name: WebhookEventName,
) {
  const event = Object.values(webhookEvents).find((known) => known.name === name)!;
  const eventId = `test_${newId()}`;
  const hasListener = await insertTestEvent(db, { ...event.emitExample(clock.now()), id: eventId, userId });
  if (!hasListener) throw new Problem('no_listener');
  return { success: true as const, eventId };
}
