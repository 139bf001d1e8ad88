/** Parts of a document by name. */
export type Named<T> = Readonly<Record<string, T>>;

/** Returns the breaking changes between two documents: those of each common part, and one change for each removed part. */
export const compareParts = <T>(
  kind: string,
  before: Named<T> = {},
  after: Named<T> = {},
  compare: (name: string, before: T, after: T) => readonly string[] = () => [],
): readonly string[] =>
  Object.entries(before).flatMap(([name, was]) => {
    const is = after[name];
    return is === undefined ? [`${kind} ${name} is removed`] : compare(name, was, is);
  });

/** Returns a breaking change if the values differ. */
export const breakIfChanged = (place: string, before: unknown, after: unknown): readonly string[] =>
  JSON.stringify(before) === JSON.stringify(after) ? [] : [`${place} is ${JSON.stringify(after)}; it was ${JSON.stringify(before)}`];
