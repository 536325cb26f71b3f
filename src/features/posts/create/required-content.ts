import { parseSmallJson } from '../../../foundation/lib/json.ts';
import { isTextOptionalAsSent } from '../../../platforms/settings.ts';

/** Whether a new post lacks required text. A repost needs none (contract.md#create-post.content). */
export function lacksContent(body: unknown): boolean {
  const { content, platforms, platformSettings } = fieldsOf(body);
  if (typeof content === 'string' && content.trim() !== '') return false;
  if (content !== undefined && content !== null && content !== '') return true;
  const targets = parsed(platforms);
  const settings = fieldsOf(parsed(platformSettings));
  const mayBeEmpty = (id: unknown) => typeof id === 'string' && isTextOptionalAsSent(settings, id.replace(/-.*$/s, ''));
  return !(Array.isArray(targets) && targets.some(mayBeEmpty));
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Both fields may be sent as JSON text. The schema reports errors in it. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseSmallJson(value);
  } catch {
    return null;
  }
}
