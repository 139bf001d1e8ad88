/** Parts of a document by name. */
export type Named<T> = Readonly<Record<string, T>>;

/** The breaks in the parts that both documents have, and a break for each part that only the first one has. */
export const inBoth = <T>(
  kind: string,
  before: Named<T> = {},
  after: Named<T> = {},
  compare: (name: string, before: T, after: T) => readonly string[] = () => [],
): readonly string[] =>
  Object.entries(before).flatMap(([name, was]) => {
    const is = after[name];
    return is === undefined ? [`${kind} ${name} is removed`] : compare(name, was, is);
  });

/** A break if a value is not the same. */
export const changed = (place: string, before: unknown, after: unknown): readonly string[] =>
  JSON.stringify(before) === JSON.stringify(after) ? [] : [`${place} is ${JSON.stringify(after)}; it was ${JSON.stringify(before)}`];
