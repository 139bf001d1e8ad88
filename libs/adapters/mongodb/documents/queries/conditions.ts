import type { Condition, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { pathOf } from '../declaration.js';

/** A MongoDB filter. */
export type Filter = Readonly<Record<string, unknown>>;

/**
 * Converts a condition to MongoDB operators. All operators are literals in this function, so that no value from a client
 * can become an operator. Returns null for a range without bounds, which all values meet.
 */
const operatorsOf = (condition: Condition): Filter | null => {
  if (condition === null || typeof condition !== 'object') return { $eq: condition };
  if ('in' in condition) return { $in: condition.in };
  const { from, to } = condition;
  // MongoDB compares only values of the same type, so a range never matches null.
  return from === undefined && to === undefined
    ? null
    : { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) };
};

/** Converts conditions to a filter. Throws on an undeclared field. */
export const filterOf = (names: readonly string[], where: Where, of: 'documents' | 'cells'): Filter =>
  Object.fromEntries(
    Object.entries(where).flatMap(([name, condition]) => {
      if (!names.includes(name)) throw new Error(`${of} have no field ${name}`);
      const operators = operatorsOf(condition);
      return operators ? [[pathOf(name), operators]] : [];
    }),
  );

/**
 * Returns whether a field with this condition may be null in some matching documents and have a value in others. If true, a
 * sort by the field must move the nulls to the end.
 */
export const canBeNull = (condition: Condition | undefined): boolean => {
  if (condition === undefined) return true;
  if (condition === null || typeof condition !== 'object') return false;
  if ('in' in condition) return condition.in.includes(null);
  return condition.from === undefined && condition.to === undefined;
};
