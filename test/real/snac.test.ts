import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImage } from '../support/files/media.ts';
import { testOnce } from './once.ts';
import { proveLeavingTest } from './prove.ts';
import { connectMastodon } from './servers/connect-mastodon.ts';
import { type LiveCrier, startLiveCrier } from './servers/live-crier.ts';
import { describeServer } from './servers/server.ts';
import { type Snac, startSnac } from './servers/snac.ts';

await describeServer('snac', startSnac, (snac: Snac) => {
  let crier: LiveCrier;
  let made = 0;
  beforeAll(async () => {
    crier = await startLiveCrier(snac.front);
  }, 240_000);
  afterAll(async () => {
    await crier?.[Symbol.asyncDispose]();
    await snac[Symbol.asyncDispose]();
  });

  async function aConnection(): Promise<string> {
    made += 1;
    return connectMastodon(crier, snac.host, snac.front, await snac.addUser(`person${made}`));
  }
  const noteWith = async (text: string) => (await snac.notes()).filter((note) => note.text === text);

  test('an account is connected by OAuth, and named', async () => {
    const connection = await aConnection();
    const { connections } = await crier.call('GET', '/platform-connections');
    expect(connections).toContainEqual(expect.objectContaining({ platformId: connection }));
    expect(await crier.call('POST', `/test-connection/${connection}`)).toMatchObject({
      status: 'ok',
      username: `person${made}@${snac.host}`,
    });
  });

  test('a text arrives as it was written, and its address leads to it', async () => {
    const content = 'Hé 👋 <b>not bold</b> & "quoted"\n\n#ünïcode https://example.com/x?a=1&b=2';
    const target = await crier.publish(await aConnection(), { content });
    expect(target).toMatchObject({ status: 'published' });
    expect(await noteWith(content)).toMatchObject([{ id: target.permalink }]);
  });

  test('pictures of several posts stay apart, whole and described', async () => {
    const connection = await aConnection();
    const files = [
      await anImage(),
      await anImage({ width: 300, height: 500 }),
      await anImage({ width: 64, height: 64 }),
    ];
    const [first, second, third] = files.map((file, index) => ({ ...file, altText: `Picture ${index + 1}` }));
    await crier.publish(connection, { content: 'Two pictures' }, [first!, second!]);
    await crier.publish(connection, { content: 'Another picture' }, [third!]);
    const [[one], [other]] = [await noteWith('Two pictures'), await noteWith('Another picture')];
    const shown = [...one!.files, ...other!.files];
    expect(shown.map(({ description }) => description)).toEqual(['Picture 1', 'Picture 2', 'Picture 3']);
    const hashes = shown.map(async ({ url }) => sha256(await snac.file(url)));
    expect(await Promise.all(hashes)).toEqual(files.map(({ sha256 }) => sha256));
  });

  test('a post with a picture whose answer was lost is found, and is there once', { timeout: 240_000 }, async () => {
    const connection = await aConnection();
    snac.front.strike(
      ({ path, body }) => path === '/api/v1/statuses' && body.includes('Lost picture'),
      ['answer lost'],
    );
    const target = await crier.publish(connection, { content: 'Lost picture' }, [await anImage()]);
    expect(await noteWith('Lost picture')).toMatchObject([{ id: target.permalink, files: [{}] }]);
  });

  test('a first comment is a reply to the post, and is counted', async () => {
    const connection = await aConnection();
    const target = await crier.publish(connection, { content: 'The post', firstComment: { text: 'The comment' } });
    expect(target.firstCommentResults).toMatchObject([{ status: 'posted' }]);
    expect(await noteWith('The comment')).toMatchObject([{ inReplyTo: target.permalink }]);
    const posts = [{ platform: 'mastodon', platformId: connection, postedId: target.postedId }];
    const { stats } = await crier.call('POST', '/post-statistics', { posts });
    expect(stats[target.postedId]).toMatchObject({ reactions: 0, comments: 1, reposts: 0, quotes: null });
  });

  test('a token that the server no longer knows ends the post as such', async () => {
    const connection = await aConnection();
    await snac.forgetTokens();
    const target = await crier.publish(connection, { content: 'Nobody knows me' });
    expect(target).toMatchObject({ status: 'failed', error: { code: 'PLATFORM_AUTH_EXPIRED' } });
    expect(await crier.call('POST', `/test-connection/${connection}`)).toMatchObject({ status: 'error' });
    expect(await noteWith('Nobody knows me')).toEqual([]);
  });

  const storedTexts = async () => (await snac.notes()).map(({ text }) => text);
  proveLeavingTest('mastodon', () => ({
    crier,
    aConnection,
    storedTexts,
    reason: /^the post is there, and does not get deleted: 404/,
    isAt: async (url) => (await snac.notes()).some(({ id }) => id === url),
  }));
  testOnce(() => ({
    crier,
    front: snac.front,
    aConnection,
    publishes: ({ method, path }) => method === 'POST' && path === '/api/v1/statuses',
    storedTexts,
    freeze: snac.freeze,
    thaw: snac.thaw,
  }));
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
