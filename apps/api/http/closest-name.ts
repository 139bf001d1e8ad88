/** A name that differs in more letters than this from every known name is no mistyped one. */
const MOST_EDITS = 2;
/** Longer names are not compared: a name may have 16,000 letters. */
const LONGEST = 40;

/** Returns the known name that is closest to a mistyped one, or null if none is close: `species` for `speices`. */
export const closestName = (name: string, known: Iterable<string>): string | null => {
  if (name.length > LONGEST) return null;
  const [best] = [...known]
    .map((one) => ({ one, edits: editsBetween(name.toLowerCase(), one.toLowerCase()) }))
    // Of a short name, more letters must be right than wrong.
    .filter(({ one, edits }) => edits <= MOST_EDITS && edits * 2 < one.length)
    .toSorted((left, right) => left.edits - right.edits);
  return best?.one ?? null;
};

/** Returns how many letters must be added, removed, changed, or exchanged with their neighbour (optimal string alignment). */
const editsBetween = (from: string, to: string): number => {
  let [older, old] = [[] as number[], Array.from({ length: to.length + 1 }, (_, length) => length)];
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isExchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (old[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (old[column - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (older[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [older, old] = [old, next];
  }
  return old[to.length] ?? 0;
};
