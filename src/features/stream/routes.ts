import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import type { Server } from '../../foundation/http/server.ts';
import type { Who } from '../auth/access/api-key.ts';
import { isStillAllowed } from '../auth/api-keys/live-credential.ts';
import { brandsOf, requireBrands } from '../users/brands.ts';
import * as examples from './examples.ts';
import * as shape from './schema.ts';
import { openStreams } from './streams.ts';
import { triggerEvent } from './trigger-event.ts';

export function streamRoutes(server: Server, app: App) {
  const streams = openStreams(app);
  // A closing server waits for its open responses.
  server.addHook('preClose', () => streams.close());

  server.get(
    '/events',
    {
      // A HEAD request would subscribe to events without reading them.
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamEvents',
        summary: 'Stream changes',
        description:
          'Streams every change immediately as a server-sent event, without a webhook. After a lost connection, send the last `id` as `Last-Event-ID` to get the missed events. After more than an hour, the stream sends `reload` instead.',
        tags: ['Events'],
        example: examples.streamEvents,
        produces: ['text/event-stream'],
        headers: shape.StreamHeaders,
        querystring: shape.StreamQuery,
        response: { 200: shape.StreamEvent },
      },
      config: { isStream: true, problems: ['stream_events_unknown', 'too_many_streams', 'list_brands_invalid'] },
    },
    async (request, reply) => {
      const { format, events, brands } = request.query;
      const { userId, ownerId } = request.who;
      const sources = brands ? await brandsOf(app.db, request.who, app.clock.now()) : [userId];
      const seesAll = (who: Who) => requireBrands(app.db, who, sources, app.clock.now());
      const body = await streams.open({
        userId,
        ownerId,
        sources,
        lastEventId: brands ? undefined : request.headers['last-event-id'],
        asWebhook: format === 'webhook',
        names: readNames(events, shape.namesIn(format)),
        warnings: request.inputWarnings ?? [],
        isAllowed: () => isStillAllowed(app, request.who, brands && seesAll),
      });
      return reply.headers(streamHeaders).send(body as never);
    },
  );
}

/** A test for clients of the stream, like `/webhooks/:webhookId/test` for webhooks. */
export function triggerRoutes(server: Server, app: App) {
  server.post(
    '/webhooks/trigger',
    {
      schema: {
        operationId: 'triggerEvent',
        summary: 'Send a test event to listeners',
        description:
          'Sends an event with example data to your open streams with `format=webhook`, but not to your webhooks. The header `x-service-test` is `true`.',
        tags: ['Webhooks'],
        example: examples.triggerEvent,
        body: shape.TriggerEvent,
        response: { 200: shape.EventTriggered },
      },
      config: {
        scope: 'webhooks',
        rate: 'webhookTest',
        failure: 'webhook_test_failed',
        problems: ['trigger_event_unknown', 'no_listener'],
      },
    },
    ({ who, body }) => triggerEvent(app, who, body.event),
  );
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  // Proxies must neither compress nor buffer events.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // The connection ends with the stream, so that a closing server does not wait for it.
  connection: 'close',
};

function readNames(text: string | undefined, known: readonly string[]): ReadonlySet<string> | null {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return null;
  if (names.every((name) => known.includes(name))) return new Set(names);
  throw new Problem('stream_events_unknown', { hint: `The event names are ${known.join(', ')}.` });
}
