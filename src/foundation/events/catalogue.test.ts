import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { postLogEvents, webhookEvents, webhookTest } from './catalogue.ts';

/** Anything a user or a platform may have put into a text: quotes, control characters, lone surrogates. */
const text = fc.oneof(anyString(), fc.string({ unit: 'grapheme' }), fc.constant('\u0000\ud800"\\'));
const textOrNull = fc.option(text);
const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
const time = date.map((at) => at.toISOString());
const envelopeKeys = ['version', 'event', 'timestamp', 'data'];
const target = { postId: text, postGroupId: text, platform: text };
const byScheduler = { errorCode: textOrNull, demotedAt: time };

/** The data of each event, with keys in the order of contract.md#events. */
const events = {
  'post.scheduled': {
    event: webhookEvents.postScheduled,
    data: [fc.record({ postGroupId: text, scheduledTime: time, platforms: fc.array(text) })],
  },
  'post.published': {
    event: webhookEvents.postPublished,
    data: [
      fc.record({ ...target, platformId: textOrNull, postedId: textOrNull, permalink: textOrNull, publishedAt: time }),
    ],
  },
  'post.failed': {
    event: webhookEvents.postFailed,
    data: [fc.record({ ...target, error: fc.record({ code: text, message: text }), failedAt: time })],
  },
  'post.demoted': {
    event: webhookEvents.postDemoted,
    data: [
      fc.record({
        postGroupId: text,
        reason: fc.constant('media_changed'),
        changeType: fc.constantFrom('attach', 'detach', 'prune_reference', 'reorder'),
        mediaFileId: textOrNull,
      }),
      fc.record({
        postGroupId: text,
        reason: fc.constant('media_backstop'),
        changeType: fc.constant('scheduler_media_backstop'),
        mediaFileId: textOrNull,
        ...byScheduler,
      }),
      fc.record({
        postGroupId: text,
        reason: fc.constant('state_mismatch'),
        changeType: fc.constant('scheduler_state_repair'),
        mediaFileId: fc.constant(null),
        ...byScheduler,
      }),
    ],
  },
  'token.expiring': {
    event: webhookEvents.tokenExpiring,
    data: [fc.record({ platform: text, platformId: text, username: textOrNull, expiresAt: time })],
  },
  'webhook.test': { event: webhookTest, data: [fc.record({ webhookId: text, name: text })] },
} as const;

test('[events] these are the events', () => {
  expect(Object.values(webhookEvents).map(({ name }) => name)).toEqual(
    Object.keys(events).filter((name) => name !== 'webhook.test'),
  );
});

describe.each(Object.entries(events))('%s', (name, { event, data }) => {
  const anyData: fc.Arbitrary<Record<string, unknown>> = fc.oneof(...data);

  test('the body is compact JSON with the keys in the order of the contract, however the emitter ordered them', () => {
    const property = fc.property(anyData, date, (fields, now) => {
      const reversed = Object.fromEntries(Object.entries(fields).reverse());
      const emitted = event.emit(reversed as never, now);
      const expected = { version: '1', event: name, timestamp: now.toISOString(), data: fields };
      expect(emitted).toEqual({ type: name, body: JSON.stringify(expected) });
      expect(JSON.stringify(JSON.parse(emitted.body))).toBe(emitted.body);
      expect(Object.keys(JSON.parse(emitted.body))).toEqual(envelopeKeys);
    });
    fc.assert(property);
  });

  test('data that does not fit is refused', () => {
    expect(() => event.emit({} as never, new Date(0))).toThrow();
  });

  test('the example fits the envelope', () => {
    expect(event.envelope.parse(event.example)).toEqual(event.example);
    expect(event.example).toMatchObject({ version: '1', event: name });
  });
});

describe('entries of the post log', () => {
  test('[post-logs.events] the contract lists the events', async () => {
    const contract = await readFile(new URL('../../../docs/contract.md', import.meta.url), 'utf8');
    const [, rule = ''] = contract.match(/<a id="post-logs\.events"><\/a>`event` is one of (.*)/) ?? [];
    const listed = [...rule.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual(
      Object.values(postLogEvents)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test('[post-logs.metadata] metadata is JSON that PostgreSQL can store, and null for an event that has none', () => {
    expect(postLogEvents.scheduled.entry({})).toEqual({ event: 'scheduled', metadata: null });
    const { metadata } = postLogEvents.publishSucceeded.entry({ postedId: 'a\u0000\ud800' });
    expect(metadata).toBe('{"postedId":"a\ufffd\ufffd"}');
  });
});
