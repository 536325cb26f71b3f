import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { StreamedDelivery } from '@crier/client';
import { configFolder, type Environment } from './config.ts';

const folderOf = (environment: Environment) => join(configFolder(environment), 'listeners');

/**
 * Takes test events of `crier trigger` on this machine. Only who can read the file of the listener knows its address and
 * token, which is the same person.
 */
export async function openListener(
  environment: Environment,
  secret: () => string,
  receive: (delivery: StreamedDelivery) => Promise<void>,
) {
  const token = randomBytes(24).toString('base64url');
  const server = createServer(async (request, response) => {
    const isOurs = request.method === 'POST' && request.headers.authorization === `Bearer ${token}`;
    if (!isOurs) return response.writeHead(404).end();
    const body = await text(request);
    await receive(signed(body, secret()));
    return response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = folderOf(environment);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}.json`);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(file, JSON.stringify({ url, token }), { mode: 0o600 });
  return {
    async close() {
      await rm(file, { force: true });
      server.close();
    },
  };
}

/** Gives the event to every listener of this person that runs. Returns how many there are. */
export async function tellListeners(environment: Environment, body: string): Promise<number> {
  const folder = folderOf(environment);
  let told = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    try {
      const { url, token } = JSON.parse(await readFile(file, 'utf8'));
      const { ok } = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
      told += Number(ok);
    } catch {
      // The listener was killed.
      await rm(file, { force: true });
    }
  }
  return told;
}

/** The headers of a webhook, as the contract and Standard Webhooks have them. */
function signed(body: string, secret: string): StreamedDelivery {
  const { event }: { event: string } = JSON.parse(body);
  const [id, timestamp] = [`test_${randomBytes(12).toString('hex')}`, String(Math.floor(Date.now() / 1000))];
  const hmac = (signedText: string) => createHmac('sha256', secret).update(signedText);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Crier-Webhooks/1',
    'x-service-event': event,
    'x-service-signature': hmac(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(`${id}.${timestamp}.${body}`).digest('base64')}`,
  };
  return { headers, body };
}
