import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CrierProcess, type DataFolder, dataFolder, startCrier } from '../support/processes/crier.ts';
import { serve } from '../support/servers/local.ts';
import { CannotRun, describeServer } from './servers/server.ts';

interface Delivered {
  headers: Record<string, string>;
  body: string;
}

type Verify = (secret: string, body: string, headers: Record<string, string>) => unknown;

await describeServer('Svix', startSvix, ({ verify: verifyAsSvix }) => {
  const verifiers: Record<string, Verify> = {
    svix: verifyAsSvix,
    standardwebhooks: (secret, body, headers) => new Webhook(secret, { format: 'raw' }).verify(body, headers),
  };
  let folder: DataFolder;
  let crier: CrierProcess;
  let receiver: Awaited<ReturnType<typeof serve>>;
  let secret: string;
  let delivered: Delivered;
  beforeAll(async () => {
    const arrived = Promise.withResolvers<Delivered>();
    receiver = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.end();
      arrived.resolve({ headers: request.headers as Record<string, string>, body });
    });
    folder = await dataFolder();
    crier = await startCrier({ folder, environment: { EGRESS_ALLOW: new URL(receiver.url).host } });
    const hook = { name: 'Verified', url: `${receiver.url}/hook`, events: ['post.published'] };
    secret = (await call('POST', '/webhooks', hook)).webhook.secret;
    const { connections } = await call('GET', '/platform-connections');
    const platforms = [connections.find(({ platform }: { platform: string }) => platform === 'mastodon').platformId];
    await call('POST', '/create-post', { content: 'Ünïcode 👋 "quoted"', platforms, publishNow: true });
    delivered = await arrived.promise;
  }, 120_000);
  afterAll(async () => {
    await crier?.stop();
    await folder?.remove();
    await receiver?.close();
  });

  async function call(method: string, path: string, body?: object) {
    const response = await fetch(crier.ready.baseUrl + path, {
      method,
      headers: { 'x-service-key': crier.ready.demo?.apiKey ?? '', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  }

  describe.each(Object.entries(verifiers))('a webhook of a running Crier, to %s,', (_name, verify) => {
    test('is genuine', () => {
      expect(JSON.parse(delivered.body)).toMatchObject({ event: 'post.published' });
      expect(() => verify(secret, delivered.body, delivered.headers)).not.toThrow();
    });

    test.each<[string, (one: Delivered) => Delivered]>([
      ['another body', ({ headers, body }) => ({ headers, body: body.replace('published', 'failed') })],
      ['another id', ({ headers, body }) => ({ headers: { ...headers, 'webhook-id': 'other' }, body })],
      ['an old time', ({ headers, body }) => ({ headers: { ...headers, 'webhook-timestamp': '1700000000' }, body })],
    ])('is not genuine with %s', (_what, change) => {
      const { headers, body } = change(delivered);
      expect(() => verify(secret, body, headers)).toThrow();
    });

    test('is not genuine to the holder of another secret', () => {
      expect(() => verify(`${secret}x`, delivered.body, delivered.headers)).toThrow();
    });
  });
});

/** A verifier, not a server: it runs in this process. */
async function startSvix() {
  const { verify } = await import('./servers/svix.js').catch(({ message }: Error) => {
    throw new CannotRun(message);
  });
  return { name: "Svix's verifier", verify };
}
