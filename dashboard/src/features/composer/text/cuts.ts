/** The service adds it to parts that it cut itself. */
const number = /\s*\(\d+\/\d+\)$/;

export interface Cut {
  /** Where the part begins in the text. */
  readonly at: number;
  readonly label: string;
}

/** Where each part but the first begins. Behind the place that was just changed, the parts are not known yet. */
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
