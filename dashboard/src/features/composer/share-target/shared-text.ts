import type { Shared } from '../../../lib/share-worker.ts';

/** Apps put a link into any of the three, and often into two of them. */
export function sharedText({ title, text, url }: Pick<Shared, 'title' | 'text' | 'url'>): string {
  const parts = [title, text, url].map((part) => part.trim()).filter((part) => part !== '');
  const isInAnother = (part: string, index: number) =>
    parts.some((other, at) => at !== index && other.includes(part) && (other !== part || at < index));
  return parts.filter((part, index) => !isInAnother(part, index)).join('\n');
}
