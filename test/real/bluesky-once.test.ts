import { afterAll, beforeAll } from 'vitest';
import { testOnce } from './once.ts';
import { type Front, openFront } from './servers/front.ts';
import { type LiveCrier, startLiveCrier } from './servers/live-crier.ts';
import { type PdsServer, startPds, storedTexts } from './servers/pds.ts';
import { describeServer } from './servers/server.ts';

await describeServer(
  "Bluesky's PDS",
  () => startPds('pds.test'),
  (pds: PdsServer) => {
    let front: Front;
    let crier: LiveCrier;
    let made = 0;
    beforeAll(async () => {
      front = await openFront({
        'pds.test': pds.pds,
        'plc.directory': pds.directory,
        // The AppView has a separate test.
        'public.api.bsky.app': null,
      });
      crier = await startLiveCrier(front);
    }, 240_000);
    afterAll(async () => {
      await crier?.[Symbol.asyncDispose]();
      await front?.[Symbol.asyncDispose]();
      await pds[Symbol.asyncDispose]();
    });

    async function aConnection(): Promise<string> {
      made += 1;
      const { handle, appPassword } = await pds.addUser(`person${made}.test`);
      const fields = { handle, appPassword, pds: 'pds.test' };
      const { connected } = await crier.asPerson('POST', '/connect/bluesky', { fields });
      return connected[0].platformId;
    }

    testOnce(() => ({
      crier,
      front,
      aConnection,
      publishes: ({ path }) => path.includes('com.atproto.repo.putRecord'),
      storedTexts: () => storedTexts(pds.pds),
      freeze: pds.freeze,
      thaw: pds.thaw,
    }));
  },
);
