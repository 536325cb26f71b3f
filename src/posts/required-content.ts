/** Whether a new post says nothing. A repost on LinkedIn may: the post it shares speaks for it (contract 4.1). */
export function lacksContent(body: unknown): boolean {
  const { content, platforms, platformSettings } = fieldsOf(body);
  if (typeof content === 'string' && content.trim() !== '') return false;
  if (content !== undefined && content !== null && content !== '') return true;
  const { repostEnabled, repostParentUrn } = fieldsOf(fieldsOf(parsed(platformSettings)).linkedin);
  const targets = parsed(platforms);
  const onLinkedin =
    Array.isArray(targets) && targets.some((id) => typeof id === 'string' && id.startsWith('linkedin-'));
  const namesParent = typeof repostParentUrn === 'string' && repostParentUrn.trim() !== '';
  return !(onLinkedin && (repostEnabled === true || namesParent));
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Both fields may come as text. What is wrong with it, the schema tells. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
