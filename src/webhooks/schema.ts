import { z } from 'zod';
import { webhookEventNames } from '../events/catalogue.ts';
import { isId } from '../lib/ids.ts';

/** The wire shapes of webhooks. */

const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' });

/** The use-case validates these and answers in the contract's words. */
const anything = z.unknown().optional();
export const NewWebhook = z.object({
  name: anything.meta({ type: 'string' }),
  url: anything.meta({ type: 'string', description: 'https only.' }),
  events: anything.meta({ type: 'array', items: { type: 'string', enum: webhookEventNames } }),
});
export const WebhookChange = NewWebhook.extend({ isActive: anything.meta({ type: 'boolean' }) });

const base = { _id: z.string(), name: z.string(), url: z.string(), events: z.array(z.string()), isActive: z.boolean() };

const Listed = z.object({
  ...base,
  failureCount: z.number(),
  lastTriggeredAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export const Webhooks = z.object({ success: z.literal(true), webhooks: z.array(Listed) });
export const WebhookCreated = z.object({
  success: z.literal(true),
  webhook: z.object({
    ...base,
    secret: z.string().describe('Shown only here and when it is regenerated.'),
    createdAt: timestamp,
  }),
});
export const WebhookUpdated = z.object({
  success: z.literal(true),
  webhook: z.object({ ...base, updatedAt: timestamp }),
});
export const WebhookUpdatedBySession = z.object({ success: z.literal(true), webhook: Listed });
/** A malformed id is treated like one that does not exist. */
const id = z.string().transform((text) => (isId(text) ? text.toLowerCase() : ''));
export const WebhookPath = z.object({ webhookId: id });
export const Deleted = z.object({ success: z.literal(true) });
export const NewSecret = z.object({ success: z.literal(true), secret: z.string() });

const Delivery = z.object({
  _id: z.string(),
  event: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(
    z.object({
      at: timestamp,
      durationMs: z.number(),
      status: z.number().nullable(),
      error: z.string().nullable(),
      answer: z.string(),
    }),
  ),
  nextAttemptAt: timestamp.nullable(),
  createdAt: timestamp,
  body: z.string().describe('The bytes that were signed and sent.'),
});
export const Deliveries = z.object({ success: z.literal(true), deliveries: z.array(Delivery) });
export const DeliveryPath = z.object({ deliveryId: id });
export const Queued = z.object({ success: z.literal(true), deliveryId: z.string() });
