/** Added by the service to parts that it cut. */
const number = /\s*\(\d+\/\d+\)$/;

export interface Cut {
  /** The start of the part in the text. */
  readonly at: number;
  readonly label: string;
}

/** The start of each part but the first. After a fresh change, the following parts aren't known yet. */
export function cutsIn(text: string, parts: readonly string[]): Cut[] {
  const cuts: Cut[] = [];
  let from = 0;
  for (const [index, sent] of parts.entries()) {
    const part = sent.replace(number, '');
    const at = text.indexOf(part, from);
    if (at < 0) return cuts;
    if (index > 0) cuts.push({ at, label: `${index + 1}/${parts.length}` });
    from = at + part.length;
  }
  return cuts;
}
