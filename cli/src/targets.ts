import type { Connection } from '@crier/client';
import { CommandError } from './failures.ts';

/** Networks with another common name. */
const aliases: Record<string, string> = { x: 'twitter' };

/** Finds the connections that `--to` names: by id, network, handle, `network:handle`, or `all`. */
export function findTargets(wanted: readonly string[], connections: readonly Connection[]): string[] {
  const names = wanted.flatMap((text) => text.split(/[,;]/)).map((text) => text.trim());
  const found = names.filter(Boolean).flatMap((name) => targetsOf(name, connections));
  return [...new Set(found)];
}

export const platformOf = ({ platformId }: Pick<Connection, 'platformId'>) => platformId.replace(/-.*$/s, '');

function targetsOf(name: string, connections: readonly Connection[]): string[] {
  if (name === 'all' && connections.length > 0) return connections.map(({ platformId }) => platformId);
  const exact = connections.find(({ platformId }) => platformId === name);
  if (exact) return [exact.platformId];
  const matches = connections.filter((connection) => fits(name.toLowerCase(), connection));
  if (matches.length === 1) return [matches[0]!.platformId];
  const facts = { code: 'TARGET_NOT_FOUND', lines: (matches.length > 0 ? matches : connections).map(describe) };
  if (matches.length > 1) {
    const hint = `Choose one, for example --to ${matches[0]!.platformId}`;
    throw new CommandError('refused', `"${name}" matches several accounts.`, {
      ...facts,
      code: 'TARGET_AMBIGUOUS',
      hint,
    });
  }
  const hint = connections.length > 0 ? 'List your accounts with: crier connections' : 'Connect an account first.';
  throw new CommandError('refused', `You have no account called "${name}".`, { ...facts, hint });
}

function fits(name: string, connection: Connection): boolean {
  const platform = platformOf(connection);
  if ((aliases[name] ?? name) === platform) return true;
  const handle = (connection.username ?? '').toLowerCase().replace(/^@/, '');
  const [network, rest] = splitOnce(name);
  const ofNetwork = network === null || (aliases[network] ?? network) === platform;
  return handle !== '' && ofNetwork && handle === rest.replace(/^@/, '');
}

/** `mastodon:ada` */
function splitOnce(name: string): [string | null, string] {
  const at = name.indexOf(':');
  return at < 0 ? [null, name] : [name.slice(0, at), name.slice(at + 1)];
}

const describe = ({ platformId, username }: Connection) => `${platformId}  ${username ?? ''}`;
