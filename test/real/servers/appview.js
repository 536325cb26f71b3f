// Bluesky's PDS, directory and AppView, as `@atproto/dev-env` runs them together: until standard input ends. Prints where they
// are. DB_POSTGRES_URL and REDIS_HOST name the databases of the AppView, and the first argument is the host by which others
// know the PDS.
import { TestNetwork } from '@atproto/dev-env';

const network = await TestNetwork.create({ dbPostgresSchema: 'crier' });
const { pds, plc, bsky } = network;
// The services found each other without encryption, and accounts from now on are at an address that Crier would talk to.
pds.ctx.cfg.service.publicUrl = `https://${process.argv[2]}`;
console.log(JSON.stringify({ pds: pds.url, directory: plc.url, appView: bsky.url }));

// A line on standard input asks for everything that happened so far to be indexed.
process.stdin.setEncoding('utf8').on('data', async () => {
  await network.processAll();
  console.log(JSON.stringify({ indexed: true }));
});
process.stdin.once('end', async () => {
  await network.close();
  process.exit();
});
