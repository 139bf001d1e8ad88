import type { Collection, Condition, DocumentQuery, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { fieldNameOf, isDescending, withKey, nameOfIndex } from '../declaration.js';

/** Maximum number of index ranges that MongoDB merges in order. With more, it sorts all matches in memory. */
const MAX_RANGES = 50;

/** Adds the key as the last term of a sort, so that the order is unique. */
export const sortWithKey = (sort: readonly string[]): readonly string[] =>
  fieldNameOf(sort.at(-1) ?? '') === 'key' ? sort : [...sort, '-key'];

const isScalar = (condition: Condition | undefined): boolean =>
  condition !== undefined && (condition === null || typeof condition !== 'object');

/** Returns the number of single values in a condition, or 0 for a range or no condition. */
const valuesIn = (condition: Condition | undefined): number => {
  if (isScalar(condition)) return 1;
  return typeof condition === 'object' && condition !== null && 'in' in condition ? new Set(condition.in).size : 0;
};

type Candidate = {
  readonly name: string;
  /** The number of condition fields that the index lacks, so that documents must be read. */
  readonly lacking: number;
  /** The number of index ranges to merge in order. */
  readonly ranges: number;
  /** The number of leading index fields with single values. */
  readonly leading: number;
};

const lackingIn = (index: readonly string[], where: Where): number => {
  const names = new Set(index.map(fieldNameOf));
  return Object.keys(where).filter((field) => !names.has(field)).length;
};

/** Returns the candidate that reads the fewest documents, then the fewest keys. */
const best = (candidates: readonly Candidate[]): string | undefined =>
  candidates.toSorted((one, other) => one.lacking - other.lacking || one.ranges - other.ranges || other.leading - one.leading)[0]?.name;

/** Returns whether index entries have the order of a sort, forwards or backwards. */
const givesOrder = (entries: readonly string[], sort: readonly string[]): boolean => {
  const sameField = sort.every((term, at) => fieldNameOf(entries[at] ?? '') === fieldNameOf(term));
  const reversed = sort.filter((term, at) => isDescending(entries[at] ?? '') !== isDescending(term)).length;
  return sameField && (reversed === 0 || reversed === sort.length);
};

/**
 * Returns a candidate if the index has the order of the query after its leading fields with single values, or
 * null.
 */
const orderedCandidate = (index: readonly string[], { where, sort }: Pick<DocumentQuery, 'where' | 'sort'>): Candidate | null => {
  // A field with a single value needs no sort.
  const terms = sortWithKey(sort).filter((term) => !isScalar(where[fieldNameOf(term)]));
  let ranges = 1;
  for (let leading = 0; leading <= index.length; leading++) {
    if (givesOrder(index.slice(leading), terms)) return { name: nameOfIndex(index), lacking: lackingIn(index, where), ranges, leading };
    ranges *= valuesIn(where[fieldNameOf(index[leading] ?? '')]);
    if (ranges === 0 || ranges > MAX_RANGES) return null;
  }
  return null;
};

/**
 * Returns the name of the index with the order of a query, or undefined. With it, only the documents of one
 * page are read. MongoDB's planner would prefer an index for the conditions, and sort all matches.
 */
export const indexForFind = ({ indexes }: Pick<Collection, 'indexes'>, find: Pick<DocumentQuery, 'where' | 'sort'>): string | undefined =>
  best(indexes.flatMap((index) => orderedCandidate(withKey(index), find) ?? []));

/** Returns the name of the best index with all condition fields, so that a count reads no documents. */
export const indexForCount = ({ indexes }: Pick<Collection, 'indexes'>, where: Where): string | undefined =>
  best(
    indexes.map(withKey).flatMap((index) => {
      if (lackingIn(index, where) > 0) return [];
      const first = index.findIndex((entry) => valuesIn(where[fieldNameOf(entry)]) === 0);
      const leading = (first < 0 ? index.length : first) + (where[fieldNameOf(index[first] ?? '')] === undefined ? 0 : 1);
      return [{ name: nameOfIndex(index), lacking: 0, ranges: 1, leading }];
    }),
  );
