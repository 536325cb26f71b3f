import { z } from 'zod';
import { webhookEventNames } from '../../foundation/events/catalogue.ts';
import {
  StreamedDelivery,
  streamChangeNames,
  streamChanges,
  streamSignals,
} from '../../foundation/events/stream-events.ts';

export const StreamQuery = z.object({
  format: z
    .enum(['changes', 'webhook'])
    .default('changes')
    .describe('`webhook`: the requests that webhooks receive, signed with the `secret` in `ready`.'),
  events: z
    .string()
    .max(10_000)
    .optional()
    .describe(`Event names to filter by, separated by commas. \`${streamChangeNames.join(',')}\`, or webhook events.`),
  brands: z
    .enum(['all'], { error: 'list_brands_invalid' })
    .optional()
    .describe(
      '`all`: your changes and those of all users you manage, without `Last-Event-ID`. Open the stream again after ' +
        'adding a user.',
    ),
});

export const StreamHeaders = z.object({
  'last-event-id': z.string().optional().describe('The last `id` that you received. The stream continues after it.'),
});

export const TriggerEvent = z.object({
  event: z.enum(webhookEventNames, { error: 'trigger_event_unknown' }).describe('The kind of event.'),
});
export const EventTriggered = z
  .object({ success: z.literal(true), eventId: z.string().describe('The `webhook-id` of the test.') })
  .meta({ id: 'EventTriggered', description: 'The test event that was sent.' });

/** A change as documented: the name of the event with its data. */
const changes = Object.entries({ ...streamSignals, ...streamChanges }).map(([name, { data }]) =>
  z.object({ event: z.literal(name), data }),
);
const delivered = z.object({ event: z.enum(webhookEventNames), data: StreamedDelivery });

export const StreamEvent = z.union([...changes, delivered]).meta({
  id: 'StreamEvent',
  description: 'An event: `data` is JSON on one line. A line `id: …` follows each batch.',
});

/** The event names by which a stream in this format can be filtered. */
export const namesIn = (format: 'changes' | 'webhook'): readonly string[] =>
  format === 'webhook' ? webhookEventNames : streamChangeNames;
