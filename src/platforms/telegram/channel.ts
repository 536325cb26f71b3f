/** The chat in what people type for their channel: `@name` or an id, as the network wants it. Null: there is none in it. */
export function chatIn(typed: string): string | null {
  const text = typed.trim();
  if (/^-100\d{5,13}$/.test(text)) return text;
  if (isInvitation(text)) return null;
  const path = pathIn(text);
  const [, internalId] = /^c\/(\d{5,13})(?:\/|$)/.exec(path ?? '') ?? [];
  if (internalId) return `-100${internalId}`;
  const [, name] = /^(?:s\/)?@?([a-z]\w{3,31})(?:[/?#]|$)/i.exec(path ?? '') ?? [];
  if (path !== null) return name ? `@${name}` : null;
  const [, bare] = /^@?([a-z]\w{3,31})$/i.exec(text) ?? [];
  return bare ? `@${bare}` : null;
}

/** Such a link lets people in; bots cannot follow it, and it does not say which channel it is. */
export function isInvitation(typed: string): boolean {
  return /^(?:\+|joinchat(?:\/|$))/i.test(pathIn(typed.trim()) ?? '') || /^tg:\/\/join\b/i.test(typed.trim());
}

/** What stands behind t.me in a link; null if it is none. */
function pathIn(text: string): string | null {
  return /^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.me\/(.*)$/i.exec(text)?.[1] ?? null;
}
