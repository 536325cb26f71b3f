// Runs Bluesky's PDS, directory and AppView with `@atproto/dev-env` until standard input ends. Prints their addresses.
// DB_POSTGRES_URL and REDIS_HOST name the databases of the AppView, and the first argument is the PDS's public host
// name.
import { TestNetwork } from '@atproto/dev-env';

const network = await TestNetwork.create({ dbPostgresSchema: 'crier' });
const { pds, plc, bsky } = network;
// The services have found each other without encryption. From now on, new accounts get an address that Crier accepts.
pds.ctx.cfg.service.publicUrl = `https://${process.argv[2]}`;
console.log(JSON.stringify({ pds: pds.url, directory: plc.url, appView: bsky.url }));

// A line on standard input requests that everything so far be indexed.
process.stdin.setEncoding('utf8').on('data', async () => {
  await network.processAll();
  console.log(JSON.stringify({ indexed: true }));
});
process.stdin.once('end', async () => {
  await network.close();
  process.exit();
});
