/** All tags of a video together. */
const budget = 500;

/** Trimmed, without empty ones, and no more of them than YouTube takes: what is beyond the budget is left out. */
export function tagsOf(given: string | readonly string[]): string[] {
  const tags = (typeof given === 'string' ? given.split(',') : given).map((tag) => tag.trim()).filter((tag) => tag);
  let spent = 0;
  const end = tags.findIndex((tag, index) => {
    spent += costOf(tag) + (index > 0 ? 1 : 0);
    return spent > budget;
  });
  return end < 0 ? tags : tags.slice(0, end);
}

/** YouTube puts a tag with blanks in quotes, and counts them, as it counts the commas between tags. */
const costOf = (tag: string) => tag.length + (/\s/.test(tag) ? 2 : 0);
