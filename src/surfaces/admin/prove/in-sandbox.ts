import { randomBytes } from 'node:crypto';
import type { Core } from '../../../app.ts';
import { createUser } from '../../../features/accounts/operator/users.ts';
import { whoIs } from '../../../features/auth/access/api-key.ts';
import { connectSandboxAccount } from '../../../features/connections/connect/sandbox.ts';
import { mediaFileRoutes } from '../../../features/files/serve-routes.ts';
import { buildFastify } from '../../../foundation/http/fastify.ts';
import type { PlatformId } from '../../../platforms/index.ts';
import { withThrowawaySandbox } from '../with-core.ts';
import { runProof } from './run-proof.ts';
import type { Transcript } from './transcript.ts';

/** The sandbox is on this machine, so the wait for a lost response can be shorter than for a real network. */
const timeoutMs = 5_000;

/** The same proof against the sandbox, with a new account and a separate database. Nothing of it remains. */
export function proveInSandbox(network: PlatformId): Promise<Transcript> {
  return withThrowawaySandbox(async (core) => {
    await using _files = await serveFiles(core);
    const password = randomBytes(16).toString('hex');
    const { id: userId } = await createUser(core, { email: 'proof@example.com', password });
    const account = { platform: network, handle: `proof${core.newId().slice(-8)}` };
    await connectSandboxAccount(core, core.sandboxUrl!, userId, account);
    const [connection] = (await whoIs(core.db, userId)).connections;
    const impatient = { ...core, platformAccess: { ...core.platformAccess, timeoutMs } };
    // Await here, because the files are served until then.
    return await runProof(impatient, { userId, connectionId: connection!.id, onVerdict() {} });
  });
}

/** Some networks fetch the media of a post from Crier. */
async function serveFiles(core: Core): Promise<AsyncDisposable> {
  const { log, newId, config } = core;
  const server = await buildFastify({ log, newId, corsOrigins: [] });
  mediaFileRoutes(server, core);
  await server.listen({ host: config.host, port: config.port });
  return { [Symbol.asyncDispose]: () => server.close() };
}
