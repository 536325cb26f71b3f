import { createHash } from 'node:crypto';
import { normalizeText } from '../../foundation/text/normalize-text.ts';

/**
 * A hash of what a search on the platform can compare: the text, and ids that the platform shows, such as that of the
 * post replied to. Posts with different fingerprints are never mistaken for each other, so the hash must be at least as
 * coarse as every `find`. Platforms change white space, case and links; only the letters and digits of words without a
 * dot count here.
 *
 * During an upgrade, processes of two versions share the stored fingerprints, so a change needs a new kind of
 * fingerprint.
 */
export function fingerprint(text: string, ...ids: (string | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify([comparableText(text), ...ids]))
    .digest('base64url')
    .slice(0, 22);
}

function comparableText(text: string): string {
  const words = normalizeText(text).toLowerCase().split(/\s+/);
  return words
    .filter((word) => !word.includes('.'))
    .join('')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
