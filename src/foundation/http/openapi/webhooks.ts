import type { z } from 'zod';
import type { Convert } from './schemas.ts';

/** An event that the service sends to its users' webhooks. */
export interface WebhookEvent {
  /** For example `post.published`. */
  readonly name: string;
  /** When it is sent, phrased as the end of a sentence: "a post is scheduled". */
  readonly summary: string;
  /** The body of a delivery. */
  readonly envelope: z.ZodType;
  readonly example: object;
}

/** The `webhooks` section of the document. */
export const webhookSection = (events: readonly WebhookEvent[], convert: Convert) =>
  Object.fromEntries(events.map((event) => [event.name, { post: operationOf(event, convert) }]));

function operationOf({ name, summary, envelope, example }: WebhookEvent, convert: Convert) {
  const words = pascalCase(name);
  return {
    operationId: `on${words}`,
    summary: name,
    description: `Sent when ${summary}.`,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: convert(envelope.meta({ id: `${words}Event` }), 'output'), example },
      },
    },
    responses: {
      '2XX': { description: 'Received. Any other status, or no response within 10 seconds, leads to another attempt.' },
      '410': { description: 'No longer wanted. The webhook is disabled immediately.' },
    },
  };
}

/** `post.published` becomes `PostPublished`. */
const pascalCase = (name: string) => name.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** `components/parameters`: the headers of every delivery. */
export const deliveryHeaders = {
  DeliveryEvent: header('x-service-event', 'The name of the event.'),
  DeliverySignature: header(
    'x-service-signature',
    'HMAC-SHA256 of the raw body, with the secret of the webhook as the key, in hex.',
  ),
  DeliveryId: header('webhook-id', 'Identifies the delivery. It is the same in every attempt.'),
  DeliveryTimestamp: header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  DeliveryStandardSignature: header(
    'webhook-signature',
    'The signature of the Standard Webhooks convention: `v1,` and base64.',
  ),
};
