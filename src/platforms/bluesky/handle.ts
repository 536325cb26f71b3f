/** The handle in what people type or paste: with an @, in capitals, a profile's address, a bare name. A DID stays one. */
export function handleFrom(typed: string): string {
  const name = typed
    .replace(invisible, '')
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.)?bsky\.app\/profile\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/^@/, '');
  if (name.startsWith('did:')) return name;
  // Bluesky itself lets people leave out its own domain.
  return /^[a-z0-9-]+$/i.test(name) ? `${name.toLowerCase()}.bsky.social` : name.toLowerCase();
}

/** Marks of writing direction and the like: the Bluesky app puts them around a handle that is copied. */
const invisible = /[\p{Cf}\p{Cc}]/gu;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A domain name whose last part begins with a letter. */
export const handlePattern = `(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`;
const handle = new RegExp(`^${handlePattern}$`);
const maxHandleLength = 253;

export const isHandle = (text: string) => text.length <= maxHandleLength && handle.test(text);

/** The two kinds that the network has, without what would lead an address elsewhere. */
export const isDid = (text: string) =>
  /^did:plc:[a-z0-9]+$/.test(text) || isHandle(/^did:web:(.*)$/.exec(text)?.[1] ?? '');
