import { describe, expect, test } from 'vitest';
import { startBluesky } from './testing.ts';

describe('Bluesky identities', () => {
  test('a handle resolves to a DID, the DID to its document, and the document to the server', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    expect(ann.did).toMatch(/^did:plc:[a-z2-7]{24}$/);
    for (const host of ['bsky.social', 'public.api.bsky.app']) {
      const resolved = await sandbox.read('com.atproto.identity.resolveHandle', 'handle=ann.bsky.social', host);
      expect(await resolved.json()).toEqual({ did: ann.did });
    }
    const document = await (await sandbox.at(`/plc.directory/${ann.did}`)).json();
    expect(document).toMatchObject({ id: ann.did, alsoKnownAs: ['at://ann.bsky.social'] });
    expect(document.service[0].serviceEndpoint).toBe(ann.credentials.pds);
    expect(ann.credentials.pds).toMatch(/^https:\/\/\w+\.us-\w+\.host\.bsky\.network$/);
  });

  test('a self-hosted account has a did:web, whose document is at the handle’s host', async () => {
    const sandbox = await startBluesky();
    const eve = await sandbox.account('eve.pds.example.org');
    expect(eve.did).toBe('did:web:eve.pds.example.org');
    expect(eve.credentials.pds).toBe('https://pds.example.org');
    const document = await (await sandbox.at('/eve.pds.example.org/.well-known/did.json')).json();
    expect(document.service[0].serviceEndpoint).toBe('https://pds.example.org');
  });

  test('unknown names are not found', async () => {
    const sandbox = await startBluesky();
    const resolved = await sandbox.read('com.atproto.identity.resolveHandle', 'handle=nobody.bsky.social');
    expect([resolved.status, await resolved.json()]).toEqual([
      400,
      { error: 'HandleNotFound', message: 'Unable to resolve handle' },
    ]);
    expect((await sandbox.at('/nobody.pds.example.org/.well-known/did.json')).status).toBe(404);
    expect((await sandbox.at(`/plc.directory/did:plc:${'a'.repeat(24)}`)).status).toBe(404);
    expect((await sandbox.at('/plc.directory/did:plc:short')).status).toBe(400);
  });

  test('a server has a did:web document', async () => {
    const sandbox = await startBluesky();
    expect(await (await sandbox.at('/pds.example.org/.well-known/did.json')).json()).toMatchObject({
      id: 'did:web:pds.example.org',
    });
  });

  test('each host serves only its own methods', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const notHere = { error: 'MethodNotImplemented', message: 'Method Not Implemented' };
    for (const response of [
      await ann.procedure('com.atproto.repo.createRecord', {}, 'public.api.bsky.app'),
      await ann.query('app.bsky.video.getJobStatus', 'jobId=1'),
      await ann.query('app.bsky.unheard.of'),
    ]) {
      expect([response.status, await response.json()]).toEqual([501, notHere]);
    }
  });
});
