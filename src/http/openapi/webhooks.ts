import { webhookEvents } from '../../events/catalogue.ts';
import type { Convert } from './schemas.ts';

/** The `webhooks` section: what the service sends to the addresses of its users. */
export const webhookSection = (convert: Convert) =>
  Object.fromEntries(
    Object.values(webhookEvents).map(({ name, summary, envelope, example }) => [
      name,
      {
        post: {
          operationId: operationIdOf(name),
          summary: name,
          description: `Sent when ${summary}.`,
          tags: ['Webhooks'],
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: convert(envelope, 'output'), example } },
          },
          responses: {
            '2XX': { description: 'Received. Any other answer, or none within 10 seconds, is retried.' },
            '410': { description: 'No longer wanted: the webhook is switched off at once.' },
          },
        },
      },
    ]),
  );

/** `post.published` becomes `onPostPublished`. */
const operationIdOf = (event: string) =>
  `on.${event}`.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

/** The headers of every delivery, as components that all events refer to. */
export const webhookParameters = {
  WebhookEventName: header('x-service-event', 'The name of the event.'),
  WebhookHexSignature: header(
    'x-service-signature',
    'HMAC-SHA256 of the raw body with the secret of the webhook, in lower-case hex.',
  ),
  WebhookEventId: header('webhook-id', 'Standard Webhooks: the id of the event, the same in every attempt.'),
  WebhookTimestamp: header('webhook-timestamp', 'Standard Webhooks: when this attempt was made, in Unix seconds.'),
  WebhookSignature: header('webhook-signature', 'Standard Webhooks: `v1,` and the signature in base64.'),
};
const parameters = Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));
