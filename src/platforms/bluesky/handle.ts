/** The handle in what people type or paste: with an @, in capitals, a profile URL, a bare name. A DID is kept. */
export function handleFrom(typed: string): string {
  const [withoutPath = ''] = typed
    .replace(invisible, '')
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.)?bsky\.app\/profile\//i, '')
    .split(/[/?#]/, 1);
  const name = withoutPath.replace(/^@/, '');
  if (name.startsWith('did:')) return name;
  // Bluesky also lets people omit its own domain.
  return /^[a-z0-9-]+$/i.test(name) ? `${name.toLowerCase()}.bsky.social` : name.toLowerCase();
}

/** Text direction marks and similar characters. The Bluesky app puts them around a copied handle. */
const invisible = /[\p{Cf}\p{Cc}]/gu;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** A domain name whose last label starts with a letter. */
export const handlePattern = `(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`;
const handle = new RegExp(`^${handlePattern}$`);
const maxHandleLength = 253;

export const isHandle = (text: string) => text.length <= maxHandleLength && handle.test(text);

/** The two kinds that Bluesky supports, without characters that could change a URL. */
export const isDid = (text: string) =>
  /^did:plc:[a-z0-9]+$/.test(text) || isHandle(/^did:web:(.*)$/.exec(text)?.[1] ?? '');
