import type { Collection, Condition, DocumentQuery, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { fieldNameOf, isDescending, withKey, nameOfIndex } from '../declaration.js';

/** Maximum number of index ranges that MongoDB merges in order. With more, it sorts all matches in memory. */
const MAX_RANGES = 50;

/** Adds the key as the last term of a sort, so that the order is unique. */
export const sortWithKey = (sort: readonly string[]): readonly string[] =>
  fieldNameOf(sort.at(-1) ?? '') === 'key' ? sort : [...sort, '-key'];

const isSingleValue = (condition: Condition | undefined): boolean =>
  condition !== undefined && (condition === null || typeof condition !== 'object');

/** Returns the number of values that a condition allows: 0 for a range or no condition. */
const valuesIn = (condition: Condition | undefined): number => {
  if (isSingleValue(condition)) return 1;
  return typeof condition === 'object' && condition !== null && 'in' in condition ? new Set(condition.in).size : 0;
};

type Candidate = {
  readonly name: string;
  /** The number of fields that have a condition and are not in the index. MongoDB checks these conditions in the documents. */
  readonly lacking: number;
  /** The number of index ranges to merge in order. */
  readonly ranges: number;
  /** The number of leading index fields whose conditions allow only listed values. */
  readonly leading: number;
};

const lackingIn = (index: readonly string[], where: Where): number => {
  const names = new Set(index.map(fieldNameOf));
  return Object.keys(where).filter((field) => !names.has(field)).length;
};

/**
 * Returns the name of the best index, or undefined without candidates. The best index lacks the fewest fields, so that
 * MongoDB reads the fewest documents. Of several such indexes, the best has the fewest ranges. Of several such indexes
 * again, the best has the most leading fields, so that MongoDB reads the fewest index entries.
 */
const nameOfBest = (candidates: readonly Candidate[]): string | undefined =>
  candidates.toSorted((one, other) => one.lacking - other.lacking || one.ranges - other.ranges || other.leading - one.leading)[0]?.name;

/** Returns whether an index on these fields has the order of a sort, forwards or backwards. */
const givesOrder = (fields: readonly string[], sort: readonly string[]): boolean => {
  const sameField = sort.every((term, at) => fieldNameOf(fields[at] ?? '') === fieldNameOf(term));
  const reversed = sort.filter((term, at) => isDescending(fields[at] ?? '') !== isDescending(term)).length;
  return sameField && (reversed === 0 || reversed === sort.length);
};

/**
 * Returns a candidate if the index can return documents in the order of the query, and null if it cannot. The index may
 * begin with fields whose conditions allow only listed values. MongoDB merges the ranges of all these values in order.
 */
const orderedCandidate = (index: readonly string[], { where, sort }: Pick<DocumentQuery, 'where' | 'sort'>): Candidate | null => {
  // A field that must equal one value does not affect the order.
  const terms = sortWithKey(sort).filter((term) => !isSingleValue(where[fieldNameOf(term)]));
  let ranges = 1;
  for (let leading = 0; leading <= index.length; leading++) {
    if (givesOrder(index.slice(leading), terms)) return { name: nameOfIndex(index), lacking: lackingIn(index, where), ranges, leading };
    ranges *= valuesIn(where[fieldNameOf(index[leading] ?? '')]);
    // 0 means that the field is not limited to listed values. The index then does not give the order of the fields after it.
    if (ranges === 0 || ranges > MAX_RANGES) return null;
  }
  return null;
};

/**
 * Returns the name of the best index that has the order of a query, or undefined if no index has that order. With this name
 * as a hint, MongoDB reads only one page. Without a hint, it could sort all matches.
 */
export const indexForFind = ({ indexes }: Pick<Collection, 'indexes'>, find: Pick<DocumentQuery, 'where' | 'sort'>): string | undefined =>
  nameOfBest(indexes.flatMap((index) => orderedCandidate(withKey(index), find) ?? []));

/** Returns the name of the best index that contains every field with a condition, so that a count reads no documents. */
export const indexForCount = ({ indexes }: Pick<Collection, 'indexes'>, where: Where): string | undefined =>
  nameOfBest(
    indexes.map(withKey).flatMap((index) => {
      if (lackingIn(index, where) > 0) return [];
      const first = index.findIndex((field) => valuesIn(where[fieldNameOf(field)]) === 0);
      // The first field without listed values counts too if it has a range: the range limits the index entries that are read.
      const leading = (first < 0 ? index.length : first) + (where[fieldNameOf(index[first] ?? '')] === undefined ? 0 : 1);
      return [{ name: nameOfIndex(index), lacking: 0, ranges: 1, leading }];
    }),
  );

/** Maximum number of documents that MongoDB may open for each result of a page. A page for which it would open more is deep. */
const MAX_OPENED_PER_RESULT = 10;

/** Returns whether so many documents are before a page that MongoDB must not open them. */
export const isDeep = ({ limit, offset }: Pick<DocumentQuery, 'limit' | 'offset'>): boolean =>
  offset + limit > MAX_OPENED_PER_RESULT * limit;
