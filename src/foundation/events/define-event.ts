import { type input, type ZodObject, type ZodType, z } from 'zod';
import { storableJson } from '../lib/storable.ts';

/** An event that is delivered to webhooks. */
export interface WebhookEvent<Name extends string, Data extends ZodType> {
  readonly name: Name;
  /** When it is emitted, phrased as the end of a sentence. */
  readonly summary: string;
  readonly data: Data;
  /** The whole body of a delivery. */
  readonly envelope: ZodType;
  /** A body that matches `envelope`. */
  readonly example: object;
  emit(data: input<Data>, now: Date): EmittedEvent<Name>;
  /** The event with its example data, for testing a receiver. */
  emitExample(now: Date): EmittedEvent<Name>;
}

/** A row for the `events` table. */
export interface EmittedEvent<Name extends string = string> {
  readonly type: Name;
  /**
   * The bytes that are signed, sent and stored. Compact JSON with keys in the order of the shape, so a receiver that
   * parses and serialises it again gets the same bytes.
   */
  readonly body: string;
}

export function defineWebhookEvent<const Name extends string, Data extends ZodType>(event: {
  name: Name;
  summary: string;
  data: Data;
  example: input<Data>;
}): WebhookEvent<Name, Data> {
  const { name, data } = event;
  const envelope = z.object({ version: z.literal('1'), event: z.literal(name), timestamp, data });
  // Parsing sorts the keys into the order of the shape, however the emitter wrote them.
  const compose = (fields: unknown, at: string) =>
    envelope.parse({ version: '1', event: name, timestamp: at, data: fields });
  const emit = (fields: unknown, now: Date) => ({
    type: name,
    body: JSON.stringify(compose(fields, now.toISOString())),
  });
  return {
    ...event,
    envelope,
    example: compose(event.example, '2027-03-04T05:06:07.089Z'),
    emit,
    emitExample: (now) => emit(event.example, now),
  };
}

/** An entry in a post's log. */
export interface PostLogEvent<Name extends string, Metadata extends ZodObject> {
  readonly name: Name;
  readonly metadata: Metadata;
  entry(metadata: input<Metadata>): PostLogEntry<Name>;
}

/** The columns of a `post_logs` row that come from the event. */
export interface PostLogEntry<Name extends string = string> {
  readonly event: Name;
  /** JSON; null for an event without metadata. */
  readonly metadata: string | null;
}

export function definePostLogEvent<const Name extends string, Metadata extends ZodObject>(
  name: Name,
  metadata: Metadata,
): PostLogEvent<Name, Metadata> {
  const hasMetadata = Object.keys(metadata.shape).length > 0;
  return {
    name,
    metadata,
    entry: (fields) => ({ event: name, metadata: hasMetadata ? storableJson(metadata.parse(fields)) : null }),
  };
}

export const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' });
