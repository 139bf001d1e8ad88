import type { Condition, DocumentQuery, Facets, Fields, Scalar, Where } from '../eventsourcing/ports/documents.port.js';

/** The bounds of the values of a field, both included. An absent bound excludes nothing. */
export type Range = { readonly field: string; readonly from?: Scalar; readonly to?: Scalar };

/** The conditions of a query: one value of the partition, the allowed values of filters, and ranges. */
export type FacetConditions = {
  readonly partition: Scalar;
  readonly allowed: readonly { readonly field: string; readonly values: readonly Scalar[] }[];
  readonly ranges: readonly Range[];
};

/** A sort: the index of its order, and whether the order is read in the direction that is not declared. */
export type FacetSort = { readonly order: number; readonly isReversed: boolean };

/** Returns the field of a declared order. */
export const fieldOfOrder = (declared: string): string => declared.replace(/^-/, '');

/** Returns the conditions as an index needs them, or null if it cannot answer them. */
export const conditionsOf = (facets: Facets, where: Where): FacetConditions | null => {
  const { [facets.partition]: partition, ...others } = where;
  if (partition === undefined || isCondition(partition)) return null;
  const allowed: FacetConditions['allowed'][number][] = [];
  const ranges: Range[] = [];
  for (const [field, condition] of Object.entries(others)) {
    const values = facets.filters.includes(field) ? valuesOf(condition) : null;
    const range = values === null && facets.orders.some((declared) => fieldOfOrder(declared) === field) ? rangeOf(field, condition) : null;
    if (values) allowed.push({ field, values });
    // A range without bounds excludes nothing, also no row without a value.
    else if (range) ranges.push(...(range.from === undefined && range.to === undefined ? [] : [range]));
    else return null;
  }
  return { partition, allowed, ranges };
};

/** Returns the order of a sort, or null if no declared order is the sort or its reverse. */
export const sortOf = ({ orders }: Facets, sort: readonly string[]): FacetSort | null => {
  const [first, second, ...others] = sort;
  if (first === undefined || others.length > 0 || (second !== undefined && second !== 'key')) return null;
  const declared = second === undefined ? first : reverseOf(first);
  const order = orders.indexOf(declared);
  return order < 0 ? null : { order, isReversed: second !== undefined };
};

/** Returns whether an index can find the page of a query. */
export const canFind = (facets: Facets, { where, sort }: Pick<DocumentQuery, 'where' | 'sort'>): boolean =>
  conditionsOf(facets, where) !== null && sortOf(facets, sort) !== null;

const reverseOf = (field: string): string => (field.startsWith('-') ? field.slice(1) : `-${field}`);

const isCondition = (condition: Condition): condition is Exclude<Condition, Scalar> => typeof condition === 'object' && condition !== null;

/** Returns the values that a condition allows, or null for a range. */
const valuesOf = (condition: Condition): readonly Scalar[] | null => {
  if (!isCondition(condition)) return [condition];
  return 'in' in condition ? condition.in : null;
};

const rangeOf = (field: string, condition: Condition): Range | null => {
  if (condition === null || (isCondition(condition) && 'in' in condition)) return null;
  return isCondition(condition) ? { field, ...condition } : { field, from: condition, to: condition };
};

/** Returns whether a document's fields meet all conditions. */
export const meetsAll = (fields: Fields, where: Where): boolean =>
  Object.entries(where).every(([name, condition]) => meets(fields[name] ?? null, condition));

const meets = (value: Scalar, condition: Condition): boolean => {
  if (!isCondition(condition)) return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  const { from, to } = condition;
  if (from === undefined && to === undefined) return true;
  return value !== null && (from === undefined || value >= from) && (to === undefined || value <= to);
};
