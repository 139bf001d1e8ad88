import type { Collection, Condition, Find, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { bare, isDescending, keyOrdered, nameOfIndex } from '../declared.js';

/** MongoDB merges so many stretches of an index into one order, at most; beyond it everything found is sorted in memory. */
const MOST_STRETCHES = 50;

/** A sort with the key that settles its ties. */
export const sortWithKey = (sort: readonly string[]): readonly string[] => (bare(sort.at(-1) ?? '') === 'key' ? sort : [...sort, '-key']);

const isScalar = (condition: Condition | undefined): boolean =>
  condition !== undefined && (condition === null || typeof condition !== 'object');

/** How many single values a condition asks for: 0 where it is none, or a range. */
const valuesIn = (condition: Condition | undefined): number => {
  if (isScalar(condition)) return 1;
  return typeof condition === 'object' && condition !== null && 'in' in condition ? new Set(condition.in).size : 0;
};

type Candidate = {
  readonly name: string;
  /** Fields of the conditions that the index lacks: a document must be opened to look at them. */
  readonly lacking: number;
  /** Stretches of the index that are merged into one order. */
  readonly stretches: number;
  /** The leading fields of which single values are asked for. */
  readonly leading: number;
};

const lackingIn = (index: readonly string[], where: Where): number => {
  const names = new Set(index.map(bare));
  return Object.keys(where).filter((field) => !names.has(field)).length;
};

/** The candidate whose walk looks at the fewest documents and then at the fewest keys. */
const best = (candidates: readonly Candidate[]): string | undefined =>
  candidates.toSorted((one, other) => one.lacking - other.lacking || one.stretches - other.stretches || other.leading - one.leading)[0]
    ?.name;

/** Whether these entries of an index give the order, read in either direction. */
const givesOrder = (entries: readonly string[], sort: readonly string[]): boolean => {
  const sameField = sort.every((term, at) => bare(entries[at] ?? '') === bare(term));
  const turned = sort.filter((term, at) => isDescending(entries[at] ?? '') !== isDescending(term)).length;
  return sameField && (turned === 0 || turned === sort.length);
};

/** The index as one that gives the find's order behind leading fields of single values; null where it is none. */
const inOrder = (index: readonly string[], { where, sort }: Pick<Find, 'where' | 'sort'>): Candidate | null => {
  // What has one value only is in any order.
  const terms = sortWithKey(sort).filter((term) => !isScalar(where[bare(term)]));
  let stretches = 1;
  for (let leading = 0; leading <= index.length; leading++) {
    if (givesOrder(index.slice(leading), terms)) return { name: nameOfIndex(index), lacking: lackingIn(index, where), stretches, leading };
    stretches *= valuesIn(where[bare(index[leading] ?? '')]);
    if (stretches === 0 || stretches > MOST_STRETCHES) return null;
  }
  return null;
};

/**
 * The name of the index that gives a find its order, so that it opens the documents of one page and no others. MongoDB's planner would
 * rather follow an index of the conditions and sort what it finds. Undefined where no declared index has that order.
 */
export const indexForFind = ({ indexes }: Pick<Collection, 'indexes'>, find: Pick<Find, 'where' | 'sort'>): string | undefined =>
  best(indexes.flatMap((index) => inOrder(keyOrdered(index), find) ?? []));

/** The name of the index that has every field of these conditions, most of them in front: counting then opens no document. */
export const indexForCount = ({ indexes }: Pick<Collection, 'indexes'>, where: Where): string | undefined =>
  best(
    indexes.map(keyOrdered).flatMap((index) => {
      if (lackingIn(index, where) > 0) return [];
      const first = index.findIndex((entry) => valuesIn(where[bare(entry)]) === 0);
      const leading = (first < 0 ? index.length : first) + (where[bare(index[first] ?? '')] === undefined ? 0 : 1);
      return [{ name: nameOfIndex(index), lacking: 0, stretches: 1, leading }];
    }),
  );
