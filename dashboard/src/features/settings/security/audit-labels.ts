import type { AuditEntry, Connection } from '@crier/client';
import { channelName } from '../../../components/channels/avatar.tsx';
import type { Brand } from '../../../lib/brands/use-brands.ts';
import { isPlaceholder } from '../../workspace/placeholder-email.ts';

const actors: Record<AuditEntry['actor']['kind'], string> = {
  user: 'by you',
  api_key: 'with an API key',
  connection_link: 'with a connection link',
  workspace_owner: 'by your workspace owner',
  operator: 'by the operator',
  system: 'by Crier',
};

/** Where the dashboard has other words than the API. */
const texts: Record<string, string> = {
  connection_added: 'A channel was connected',
  connection_renewed: 'A channel was connected again',
  connection_removed: 'A channel was disconnected',
};

const accesses = { api: 'API', mcp: 'MCP', workspace: 'Workspace' };

type Event = Pick<AuditEntry, 'event' | 'text' | 'details'>;

/** `isOfBrand`: the log of a brand, which the reader manages. */
export function textOf({ event, text, details }: Event, isOfBrand = false): string {
  // In one's own log, `userId` is the brand. The log of the managed user has the owner's id instead.
  if (event === 'member_created' && (isOfBrand || 'userId' in details)) return 'A brand was added';
  if (event === 'access_changed') return accessText(details) || text;
  return texts[event] ?? text;
}

const accessText = (details: AuditEntry['details']): string =>
  Object.entries(accesses)
    .filter(([access]) => access in details)
    .map(([access, name]) => `${name} access was turned ${details[access] ? 'on' : 'off'}`)
    .join(', ');

/** Details that identify the subject, most specific first. */
const identifying = ['name', 'brand', 'handle', 'username', 'device', 'email', 'plan'];

/** The name of the affected brand, key, device or channel, if still known. */
export function subjectOf(
  { details }: Pick<AuditEntry, 'details'>,
  channels: readonly Connection[],
  brands: readonly Brand[],
): string | null {
  const brand = brands.find(({ id }) => id === details.userId)?.name;
  for (const value of identifying.map((field) => (field === 'brand' ? brand : details[field]))) {
    if (typeof value === 'string' && value !== '' && !isPlaceholder(value)) return value;
  }
  const channel = channels.find(({ platformId }) => platformId === details.platformId);
  return channel ? channelName(channel) : null;
}

/** `with an API key (sk_mf3k2a9x) from 203.0.113.7`. */
export function actorOf({ actor, address }: Pick<AuditEntry, 'actor' | 'address'>, isOfBrand = false): string {
  if (isOfBrand && actor.kind === 'workspace_owner') return actor.name ? `by ${actor.name}` : actors.user;
  const who = actor.kind === 'api_key' && actor.name ? `${actors.api_key} (${actor.name})` : actors[actor.kind];
  return address ? `${who} from ${address}` : who;
}
