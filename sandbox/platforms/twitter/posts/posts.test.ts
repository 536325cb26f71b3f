import { describe, expect, test } from 'vitest';
import { tinyPng } from '../../../test-media.ts';
import { startX } from '../testing.ts';

const forbidden = (detail: string) => [403, { title: 'Forbidden', type: 'about:blank', status: 403, detail }];
const notPermitted = forbidden('You are not permitted to perform this action.');

describe('X posts', () => {
  test('a post returns 201 and its id; the text is stored as sent', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    const text = 'a < b & c > d: https://example.com/x?y=1, example.com';
    const response = await ann.publish({ text });
    expect(response.status).toBe(201);
    const { data } = await response.json();
    expect(data).toEqual({
      id: expect.stringMatching(/^\d{17,19}$/),
      text: expect.stringMatching(/^a &lt; b &amp; c &gt; d: https:\/\/t\.co\/\w{10}, https:\/\/t\.co\/\w{10}$/),
      edit_history_post_ids: [data.id],
    });
    expect(await x.posts()).toMatchObject([
      { id: data.id, text, inReplyTo: null, url: `https://x.com/ann/status/${data.id}` },
    ]);
  });

  test.each([
    ['a'.repeat(280), 201],
    ['a'.repeat(281), 403],
    ['漢'.repeat(140), 201],
    ['漢'.repeat(141), 403],
    ['👩‍👩‍👧‍👦'.repeat(140), 201],
    [`${'a'.repeat(256)} https://example.com/${'long'.repeat(50)}`, 201],
    [`${'a'.repeat(257)} https://example.com/${'long'.repeat(50)}`, 403],
    [`${'a'.repeat(257)} a.co`, 403],
  ])('length is counted as by the vendor (%#)', async (text, status) => {
    const response = await (await (await startX()).person('ann')).publish({ text });
    expect(response.status).toBe(status);
    if (status === 403) expect([403, await response.json()]).toEqual(notPermitted);
  });

  test('a Premium account posts up to 25,000 characters; `text` is the beginning and `note_tweet` the whole', async () => {
    const x = await startX();
    const ann = await x.person('ann', true);
    const text = `${'word '.repeat(60)}& https://example.com/end`;
    const { data } = await (await ann.publish({ text })).json();
    expect(text.startsWith(data.text)).toBe(true);
    expect(data.text.length).toBeLessThanOrEqual(280);
    const read = await (await ann.get(`/tweets/${data.id}?tweet.fields=note_tweet`)).json();
    expect(read.data.text).toBe(data.text);
    expect(read.data.note_tweet.text).toMatch(/^(word ){60}&amp; https:\/\/t\.co\/\w{10}$/);
    expect(read.data.note_tweet.entities.urls).toMatchObject([{ expanded_url: 'https://example.com/end' }]);
    expect((await ann.publish({ text: 'a'.repeat(25_000) })).status).toBe(201);
    expect((await ann.publish({ text: 'a'.repeat(25_001) })).status).toBe(403);
  });

  test('the same text within a day is refused, but not with another image, by another account or later', async () => {
    let now = Date.now();
    const x = await startX({ now: () => now });
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    await ann.post({ text: 'again' });
    const repeated = await ann.publish({ text: 'again ' });
    const duplicate = forbidden('You are not allowed to create a Tweet with duplicate content.');
    expect([repeated.status, await repeated.json()]).toEqual(duplicate);
    expect((await bo.publish({ text: 'again' })).status).toBe(201);

    const withImage = async (who: typeof ann) => {
      const { data } = await (await who.upload(tinyPng)).json();
      return (await who.publish({ text: 'again', media: { media_ids: [data.id] } })).status;
    };
    expect([await withImage(ann), await withImage(ann)]).toEqual([201, 403]);

    now += 25 * 3_600_000;
    const later = x.as((await x.person('ann')).credentials.accessToken);
    expect((await later.publish({ text: 'again' })).status).toBe(201);
  });

  test.each([
    [{ text: 'a', title: 'b' }, /^\$\.title: is not defined in the schema/],
    [{ text: 'a', reply: { in_reply_to_tweet_id: '1', x: 1 } }, /^\$\.reply\.x: is not defined/],
    [{ text: 5 }, /^\$\.text: integer found, string expected$/],
    [{ text: 'a', media: { media_ids: ['1', '2', '3', '4', '5'] } }, /maximum of 4 items/],
    [{ text: 'a', media: { media_ids: [] } }, /minimum of 1 items/],
    [{ text: 'a', media: { media_ids: ['1'] } }, /^Your media IDs are invalid\.$/],
    [{ text: 'a', media: {} }, /^\$\.media\.media_ids: is missing but it is required$/],
    [{ text: 'a', reply_settings: 'nobody' }, /^\$\.reply_settings: does not have a value in the enumeration/],
    [{ text: 'a', poll: { options: ['one'], duration_minutes: 5 } }, /minimum of 2 items/],
    [{ text: 'a', poll: { options: ['one', 'b'.repeat(26)], duration_minutes: 5 } }, /may only be 25 characters/],
    [{ text: 'a', poll: { options: ['one', 'two'], duration_minutes: 4 } }, /minimum value of 5/],
    [{ text: 'a', quote_tweet_id: '1', card_uri: 'x' }, /only one of \[quote_tweet_id, card_uri\]/],
    [{ text: ' ' }, /\[text, media\] must be present/],
    [{ text: 'a\uFFFF' }, /characters that are not allowed/],
  ])('a request such as %j is invalid', async (body, words) => {
    const x = await startX();
    const response = await (await x.person('ann')).publish(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      title: 'Invalid Request',
      type: 'https://api.x.com/2/problems/invalid-request',
      errors: [{ message: expect.stringMatching(words) }],
    });
    expect(await x.posts()).toEqual([]);
  });

  test('a form instead of JSON is invalid', async () => {
    const ann = await (await startX()).person('ann');
    const response = await ann.sendForm('/tweets', { text: 'a' });
    expect((await response.json()).errors[0].message).toMatch(/content-type of application\/json/);
  });

  test('one cashtag is allowed, two are not; amounts of money are not cashtags', async () => {
    const ann = await (await startX()).person('ann');
    expect((await ann.publish({ text: '$ABC for $5, $& and US$X' })).status).toBe(201);
    const response = await ann.publish({ text: 'buy $ABC, sell $XYZ' });
    expect([response.status, await response.json()]).toEqual(
      forbidden('Posts are limited to a maximum of one cashtag'),
    );
  });

  test('an account may reply to itself and to authors who mention or quote it', async () => {
    const x = await startX();
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    const [first, called] = [await ann.post({ text: 'one' }), await ann.post({ text: 'what does @Bo think?' })];
    const reply = (who: typeof ann, id: string, text: string) =>
      who.publish({ text, reply: { in_reply_to_tweet_id: id } });
    expect((await reply(ann, first, 'two')).status).toBe(201);
    const uncalled = await reply(bo, first, 'me too');
    expect([uncalled.status, (await uncalled.json()).detail]).toEqual([
      403,
      'You can only reply to or quote posts where you are mentioned or are the author.',
    ]);
    expect((await reply(bo, called, 'a lot')).status).toBe(201);
    const lost = await reply(ann, '1', 'to nobody');
    expect((await lost.json()).detail).toMatch(/deleted or not visible to you/);
    expect((await x.posts()).map(({ inReplyTo }: { inReplyTo: string }) => inReplyTo)).toEqual([
      null,
      null,
      first,
      called,
    ]);
  });

  test('a switch refuses all replies without a summons, those of the author too', async () => {
    const x = await startX();
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    const [first, called] = [await ann.post({ text: 'one' }), await ann.post({ text: 'what does @Bo think?' })];
    const reply = (who: typeof ann, id: string, text: string) =>
      who.publish({ text, reply: { in_reply_to_tweet_id: id } });
    await x.turn('summonedRepliesOnly', true);
    const refused = await reply(ann, first, 'two');
    expect([refused.status, (await refused.json()).detail]).toEqual([
      403,
      expect.stringMatching(/^Reply to this conversation is not allowed because you have not been mentioned/),
    ]);
    expect((await reply(bo, called, 'a lot')).status).toBe(201);
    await x.turn('summonedRepliesOnly', false);
    expect((await reply(ann, first, 'two')).status).toBe(201);
  });

  test('an account may quote itself but not others; quotes are counted', async () => {
    const x = await startX();
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    const id = await ann.post({ text: 'one' });
    const quote = await (await ann.publish({ text: 'look', quote_tweet_id: id })).json();
    expect(quote.data.text).toMatch(/^look https:\/\/t\.co\/\w{10}$/);
    expect((await bo.publish({ text: 'look', quote_tweet_id: id })).status).toBe(403);
    const counted = await (await ann.get(`/tweets/${id}?tweet.fields=public_metrics`)).json();
    expect(counted.data.public_metrics.quote_count).toBe(1);
  });

  test('deleting needs the scope to write', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    const id = await ann.post({ text: 'one' });
    const scope = 'tweet.read users.read';
    const created = await x.sendJson('POST', '/_control/accounts', { network: 'twitter', handle: 'ann', scope });
    const reader = x.as((await created.json()).credentials.accessToken);
    expect((await reader.send('DELETE', `/tweets/${id}`, {})).status).toBe(403);
    expect(await x.posts()).toMatchObject([{ id }]);
  });

  test('only the author can delete a post, and only once', async () => {
    const x = await startX();
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    const id = await ann.post({ text: 'one' });
    const refused = await bo.send('DELETE', `/tweets/${id}`, {});
    expect([refused.status, await refused.json()]).toEqual(forbidden('You are not authorized to delete this Tweet.'));
    expect(await (await ann.send('DELETE', `/tweets/${id}`, {})).json()).toEqual({ data: { deleted: true } });
    expect((await ann.send('DELETE', `/tweets/${id}`, {})).status).toBe(404);
    expect(await x.posts()).toEqual([]);
  });

  test('a repost counts once per account, and an account reposts only as itself', async () => {
    const x = await startX();
    const [ann, bo] = [await x.person('ann'), await x.person('bo')];
    const id = await ann.post({ text: 'one' });
    const reposts = async () => {
      const { data } = await (await ann.get(`/tweets?ids=${id}&tweet.fields=public_metrics`)).json();
      return data[0].public_metrics.retweet_count;
    };
    const path = `/users/${bo.account.id}/retweets`;
    for (let time = 0; time < 2; time += 1) {
      const response = await bo.send('POST', path, { tweet_id: id });
      expect(await response.json()).toEqual({ data: { retweeted: true, rest_id: id } });
    }
    expect(await reposts()).toBe(1);
    expect((await ann.send('POST', path, { tweet_id: id })).status).toBe(400);
  });

  test('a suspended account gets an error', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    await x.sendJson('PATCH', '/_control/accounts', { network: 'twitter', handle: 'ann', suspended: true });
    const response = await ann.publish({ text: 'hi' });
    expect([response.status, (await response.json()).type]).toEqual([
      403,
      'https://api.x.com/2/problems/user-suspended',
    ]);
  });

  test.each([
    [400, { type: 'https://api.x.com/2/problems/invalid-request' }],
    [402, { title: 'CreditsDepleted' }],
    [403, { detail: 'You are not permitted to perform this action.' }],
    [503, { title: 'Service Unavailable', status: 503 }],
  ])('an injected %i has the vendor’s format and posts nothing', async (status, body) => {
    const x = await startX();
    const ann = await x.person('ann');
    await x.fault({ operation: 'publish', kind: 'status', status });
    const response = await ann.publish({ text: 'hi' });
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining(body)]);
    expect(await x.posts()).toEqual([]);
  });

  test('a fault on comment hits replies and no other posts', async () => {
    const x = await startX();
    const ann = await x.person('ann');
    await x.fault({ operation: 'comment', kind: 'rate_limit', retryAfterSeconds: 60 });
    const id = await ann.post({ text: 'one' });
    const reply = await ann.publish({ text: 'two', reply: { in_reply_to_tweet_id: id } });
    expect(reply.status).toBe(429);
    const reset = Number(reply.headers.get('x-rate-limit-reset')) * 1000;
    expect(reset - Date.now()).toBeGreaterThan(55_000);
    expect(reply.headers.get('x-rate-limit-remaining')).toBe('0');
  });

  test('a user posts 100 times in 15 minutes with the vendor’s limits', async () => {
    const now = () => 1_800_000_000_000;
    const asOften = async (rateLimits: 'off' | 'vendor') => {
      const ann = await (await startX({ now, rateLimits })).person('ann');
      let last = await ann.publish({ text: '0' });
      for (let count = 1; count < 101; count += 1) last = await ann.publish({ text: String(count) });
      return [last.status, last.headers.get('x-rate-limit-limit'), last.headers.get('x-rate-limit-remaining')];
    };
    expect(await asOften('off')).toEqual([201, '100', '0']);
    expect(await asOften('vendor')).toEqual([429, '100', '0']);
  });
});
