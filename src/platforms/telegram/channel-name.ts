/** The chat in what people enter for their channel, as `@name` or an id. Null if there is none. */
export function chatFrom(typed: string): string | null {
  const text = typed.trim();
  if (/^-100\d{5,13}$/.test(text)) return text;
  if (isInviteLink(text)) return null;
  const path = pathIn(text);
  const [, internalId] = /^c\/(\d{5,13})(?:\/|$)/.exec(path ?? '') ?? [];
  if (internalId) return `-100${internalId}`;
  const [, name] = /^(?:s\/)?@?([a-z]\w{3,31})(?:[/?#]|$)/i.exec(path ?? '') ?? [];
  if (path !== null) return name ? `@${name}` : null;
  const [, bare] = /^@?([a-z]\w{3,31})$/i.exec(text) ?? [];
  return bare ? `@${bare}` : null;
}

/** An invite link does not identify its channel, and bots cannot follow it. */
export function isInviteLink(typed: string): boolean {
  return /^(?:\+|joinchat(?:\/|$))/i.test(pathIn(typed.trim()) ?? '') || /^tg:\/\/join\b/i.test(typed.trim());
}

/** The part after t.me in a link. Null if it is not such a link. */
function pathIn(text: string): string | null {
  return /^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.me\/(.*)$/i.exec(text)?.[1] ?? null;
}
