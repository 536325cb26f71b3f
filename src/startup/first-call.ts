import type { Core } from '../app.ts';
import { whoIs } from '../features/auth/access/api-key.ts';
import { adminCommandLine } from '../foundation/system/admin-command-line.ts';
import { platformFor, platformIds } from '../platforms/index.ts';
import type { Ready } from './ready-file.ts';

/**
 * The first call to copy: it publishes a post from the demo account. Without that account, it lists the connections.
 */
export async function firstCall(app: Core, { baseUrl, sandboxUrl, demo }: Ready): Promise<string> {
  const target = demo && (await findTarget(app, demo.userId));
  if (!demo || !target) {
    const list = `curl -s ${baseUrl}/platform-connections -H 'x-service-key: <API key>'`;
    return `"${adminCommandLine('create-user --help')}" shows how to get an API key. The first call:\n\n  ${list}`;
  }
  const body = { content: 'Hello, world', platforms: [target.id], publishNow: true };
  const create =
    `curl -s ${baseUrl}/create-post -H 'x-service-key: ${demo.apiKey}' -H 'content-type: application/json' \\\n` +
    `    -d '${JSON.stringify(body)}'`;
  return `The first call publishes a post, which then appears at ${sandboxUrl}/feed/${target.platform}:\n\n  ${create}`;
}

/** One of the user's connections that accepts a text without media. */
async function findTarget(app: Core, userId: string) {
  const { connections } = await whoIs(app.db, userId);
  // The first platforms refuse a text that they have already published, and a newcomer may send the call twice.
  const platform = platformIds.findLast(
    (id) => !platformFor(id)?.limits.mediaRequired && connections.some((connection) => connection.platform === id),
  );
  const found = connections.find((connection) => connection.platform === platform);
  return found ? { platform: found.platform, id: `${found.platform}-${found.accountId}` } : null;
}
