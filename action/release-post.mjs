/**
 * Entries separated by commas or lines.
 * @param {string} text
 */
export const listOf = (text) =>
  text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter(Boolean);

/**
 * Fills in the placeholders, and shortens the notes until the text has at most `limit` characters.
 * @param {string} template
 * @param {Record<'release' | 'tag' | 'notes' | 'url' | 'repo', string>} release
 * @param {number} limit
 */
export function contentOf(template, release, limit) {
  const fill = (notes) =>
    template
      .replaceAll('\\n', '\n')
      .replace(/\{\{?(release|tag|notes|url|repo)\}?\}/g, (_, name) => (name === 'notes' ? notes : release[name]))
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  const notes = plain(release.notes);
  const full = fill(notes);
  const excess = characters(full) - limit;
  if (excess <= 0) return full;
  const kept = characters(notes) - excess - 1;
  const short = fill(kept > 0 ? `${[...notes].slice(0, kept).join('').trimEnd()}…` : '');
  return characters(short) <= limit ? short : `${[...short].slice(0, limit - 1).join('')}…`;
}

const characters = (text) => [...text].length;

/** Networks show Markdown verbatim, so headings, emphasis and links become plain text. */
const plain = (markdown) =>
  markdown
    .replaceAll('\r', '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/^#+\s*/gm, '')
    .replace(/^[*-]\s+/gm, '• ')
    .replace(/\*\*|__|`/g, '')
    .replace(/\[([^[\]]+)\]\((?:[^()]|\([^()]*\))+\)/g, '$1')
    .trim();

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * The time to publish, or null for now. A delay counts from the release, so that a repeated run sends the same time.
 * @param {string} text
 * @param {string | undefined} publishedAt
 * @param {Date} now
 */
export function timeOf(text, publishedAt, now) {
  if (!text) return null;
  const [, count, unit] = /^\+(\d+)([mhd])$/.exec(text) ?? [];
  if (count) {
    const from = publishedAt ? new Date(publishedAt).getTime() : now.getTime();
    return new Date(Math.max(from + Number(count) * unitMs[unit], now.getTime())).toISOString();
  }
  if (Number.isNaN(Date.parse(text)))
    throw new Error(`schedule-at is "${text}": write 2027-03-04T09:00:00Z or +30m, +2h, +1d.`);
  return new Date(text).toISOString();
}
