import { afterAll, beforeAll, describe } from 'vitest';
import { testOnce } from './once.ts';
import { proveTest } from './prove.ts';
import { type Front, openFront } from './servers/front.ts';
import { type LiveCrier, startLiveCrier } from './servers/live-crier.ts';
import { type PdsServer, startPds } from './servers/pds.ts';

describe("Bluesky's own server", () => {
  let pds: PdsServer;
  let front: Front;
  let crier: LiveCrier;
  let made = 0;
  beforeAll(async () => {
    pds = await startPds('pds.test');
    front = await openFront({
      'pds.test': pds.pds,
      'plc.directory': pds.directory,
      // The AppView has a test of its own, and the video service is nowhere to be had.
      'public.api.bsky.app': null,
      'video.bsky.app': null,
    });
    crier = await startLiveCrier(front);
  }, 240_000);
  afterAll(async () => {
    await crier?.[Symbol.asyncDispose]();
    await front?.[Symbol.asyncDispose]();
    await pds?.[Symbol.asyncDispose]();
  });

  async function aConnection(): Promise<string> {
    made += 1;
    const { handle, appPassword } = await pds.addUser(`person${made}.test`);
    const fields = { handle, appPassword, pds: 'pds.test' };
    const { connected } = await crier.asPerson('POST', '/connect/bluesky', { fields });
    return connected[0].platformId;
  }

  const storedTexts = async () => (await pds.posts()).map(({ text }) => text);
  proveTest('bluesky', () => ({ crier, aConnection, storedTexts }), ['video', 'statistics']);
  testOnce(() => ({
    crier,
    front,
    aConnection,
    publishes: ({ path }) => path.includes('com.atproto.repo.putRecord'),
    storedTexts,
    freeze: pds.freeze,
    thaw: pds.thaw,
  }));
});
