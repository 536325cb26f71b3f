/** The selected posts, and the one that was toggled last. */
export interface Selection {
  ids: ReadonlySet<string>;
  last: string | null;
}

export const noSelection: Selection = { ids: new Set(), last: null };

/** Toggles one post. With Shift, the posts from the last one to this one get the state of this one. */
export function toggled({ ids, last }: Selection, id: string, all: readonly string[], isRange: boolean): Selection {
  const next = new Set(ids);
  const isSelected = !ids.has(id);
  for (const one of isRange ? between(all, last, id) : [id]) {
    if (isSelected) next.add(one);
    else next.delete(one);
  }
  return { ids: next, last: id };
}

/** Only `to`, if the other post isn't in the list anymore. */
function between(all: readonly string[], from: string | null, to: string): readonly string[] {
  const [one, other] = [all.indexOf(from ?? to), all.indexOf(to)];
  return one === -1 ? [to] : all.slice(Math.min(one, other), Math.max(one, other) + 1);
}
