import type { AuditEntry, Connection } from '@crier/client';
import { channelName } from '../../../components/channels/avatar.tsx';

const actors: Record<AuditEntry['actor']['kind'], string> = {
  user: 'by you',
  api_key: 'with an API key',
  connection_link: 'with a connection link',
  workspace_owner: 'by your workspace owner',
  operator: 'by the operator',
  system: 'by Crier',
};

/** Details that identify the subject, most specific first. */
const identifying = ['name', 'username', 'device', 'email', 'plan'];

/** The name of the affected key, device or account, if still known. */
export function subjectOf({ details }: Pick<AuditEntry, 'details'>, channels: readonly Connection[]): string | null {
  for (const field of identifying) {
    const value = details[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  const channel = channels.find(({ platformId }) => platformId === details.platformId);
  return channel ? channelName(channel) : null;
}

/** `with an API key (sk_mf3k2a9x) from 203.0.113.7`. */
export function actorOf({ actor, address }: Pick<AuditEntry, 'actor' | 'address'>): string {
  const who = actor.kind === 'api_key' && actor.name ? `${actors.api_key} (${actor.name})` : actors[actor.kind];
  return address ? `${who} from ${address}` : who;
}
