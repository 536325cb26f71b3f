/** YouTube's limit for all tags of a video together. */
const maxCharacters = 500;

/** The trimmed, non-empty tags. The list ends before the first tag that exceeds YouTube's limit. */
export function tagsOf(given: string | readonly string[]): string[] {
  const tags = (typeof given === 'string' ? given.split(',') : given).map((tag) => tag.trim()).filter((tag) => tag);
  let used = 0;
  const end = tags.findIndex((tag, index) => {
    used += lengthOf(tag) + (index > 0 ? 1 : 0);
    return used > maxCharacters;
  });
  return end < 0 ? tags : tags.slice(0, end);
}

/** YouTube quotes a tag with spaces, and counts the quotes as well as the commas between tags. */
const lengthOf = (tag: string) => tag.length + (/\s/.test(tag) ? 2 : 0);
