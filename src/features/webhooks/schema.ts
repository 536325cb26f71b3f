import { z } from 'zod';
import { webhookLimits } from '../../foundation/errors/webhooks.ts';
import { webhookEventNames } from '../../foundation/events/catalogue.ts';
import { shownAs } from '../../foundation/http/openapi/schemas.ts';
import { timestamp } from '../../foundation/http/shapes.ts';
import { isId } from '../../foundation/lib/ids.ts';

/** The wire shapes of webhooks. */

/** More than there are, because a name may occur twice. */
export const maxEvents = 100;

/** The use case validates these fields, so that errors have the contract's wording. */
const anything = z.unknown().optional();
const fields = {
  name: anything.meta({ type: 'string', maxLength: webhookLimits.nameLength }),
  url: anything.meta({ type: 'string', maxLength: webhookLimits.urlLength, description: 'https only.' }),
  events: shownAs(z.unknown(), z.array(z.enum(webhookEventNames)).max(maxEvents)).optional(),
};
export const NewWebhook = z
  .object(fields, { error: 'webhook_fields_missing' })
  .meta({ id: 'NewWebhook', required: ['name', 'url', 'events'] });
export const WebhookChange = z
  .object({ ...fields, isActive: anything.meta({ type: 'boolean' }) })
  .meta({ id: 'WebhookChange', description: 'The fields to change. Omitted fields stay unchanged.' });

const base = { _id: z.string(), name: z.string(), url: z.string(), events: z.array(z.string()), isActive: z.boolean() };

const Listed = z
  .object({
    ...base,
    failureCount: z.number(),
    lastTriggeredAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook', description: 'A URL that receives events.' });
export const Webhooks = z.object({ success: z.literal(true), webhooks: z.array(Listed) });
export const WebhookCreated = z
  .object({
    success: z.literal(true),
    webhook: z.object({
      ...base,
      secret: z.string().describe('Signs the deliveries. Only this response contains it.'),
      createdAt: timestamp,
    }),
  })
  .meta({ id: 'WebhookCreated', description: 'The new webhook with its secret.' });
export const WebhookUpdated = z.object({
  success: z.literal(true),
  webhook: z.object({ ...base, updatedAt: timestamp }),
});
export const WebhookUpdatedBySession = z.object({ success: z.literal(true), webhook: Listed });
/** A malformed id is mapped to one that no row has. */
const id = z.string().transform((text) => (isId(text) ? text.toLowerCase() : ''));
export const WebhookPath = z.object({ webhookId: id.describe('The `_id` of the webhook.') });
export const NewSecret = z.object({ success: z.literal(true), secret: z.string() });

const Delivery = z
  .object({
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
    body: z.string().describe('The signed bytes that were sent.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of one event to one webhook, with its latest attempts.' });
export const Deliveries = z.object({ success: z.literal(true), deliveries: z.array(Delivery) });
export const DeliveryPath = z.object({ deliveryId: id.describe('The `_id` of the delivery.') });
export const Queued = z
  .object({ success: z.literal(true), deliveryId: z.string() })
  .meta({ id: 'WebhookDeliveryQueued', description: 'The queued delivery.' });
