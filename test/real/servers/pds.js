// Runs Bluesky's own server and a directory of accounts until standard input ends. Prints their addresses. The first
// argument is its public host name. Plain JavaScript: the packages exist only after `npm ci --prefix test/real`, and
// type checking runs without them.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDS } from '@atproto/pds';

const folder = await mkdtemp(join(tmpdir(), 'crier-pds-'));
const directory = createServer(answerAsDirectory);
const directoryUrl = await listen(directory);
const port = await freePort();
const pds = await PDS.fromEnv({
  devMode: true,
  hostname: process.argv[2],
  port,
  dataDirectory: folder,
  blobstoreDiskLocation: join(folder, 'blobs'),
  didPlcUrl: directoryUrl,
  serviceHandleDomains: ['.test'],
  inviteRequired: false,
  disableSsrfProtection: true,
  adminPassword: randomBytes(16).toString('hex'),
  jwtSecret: randomBytes(16).toString('hex'),
  plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
});
await pds.start();
console.log(JSON.stringify({ pds: `http://localhost:${port}`, directory: directoryUrl }));

process.stdin.resume().once('end', async () => {
  await pds.destroy();
  await rm(folder, { recursive: true, force: true });
  process.exit();
});

const operations = new Map();

/** The public `did:plc` directory, limited to the needs of one server. It accepts every operation unchecked. */
async function answerAsDirectory(request, response) {
  const did = decodeURIComponent(request.url).slice(1);
  if (request.method === 'POST') {
    operations.set(did, JSON.parse(await new Response(request).text()));
    return response.end('{}');
  }
  const operation = operations.get(did);
  response.writeHead(operation ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(operation ? documentOf(did, operation) : { message: `DID not registered: ${did}` }));
}

function documentOf(did, { alsoKnownAs, verificationMethods, services }) {
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    alsoKnownAs,
    verificationMethod: Object.entries(verificationMethods).map(([name, key]) => ({
      id: `${did}#${name}`,
      type: 'Multikey',
      controller: did,
      publicKeyMultibase: key.replace('did:key:', ''),
    })),
    service: Object.entries(services).map(([name, { type, endpoint }]) => ({
      id: `#${name}`,
      type,
      // Crier talks only to encrypted servers. The test maps this URL to the unencrypted one.
      serviceEndpoint: endpoint.replace(/^http:/, 'https:'),
    })),
  };
}

async function freePort() {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await new Promise((resolve) => server.close(resolve));
  return Number(port);
}

function listen(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://localhost:${server.address().port}`));
  });
}
