import type { Condition, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { pathOf } from '../declared.js';

/** A filter of MongoDB's. */
export type Filter = Readonly<Record<string, unknown>>;

/** Every condition becomes an operator that is written here: no caller's value can become one. */
const operatorsOf = (condition: Condition): Filter | null => {
  if (condition === null || typeof condition !== 'object') return { $eq: condition };
  if ('in' in condition) return { $in: condition.in };
  const { from, to } = condition;
  // MongoDB compares within one type: nothing without a value is in a range.
  return from === undefined && to === undefined
    ? null
    : { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) };
};

/** The filter for conditions on these fields. Throws on a condition on any other field. */
export const filterOf = (names: readonly string[], where: Where, of: 'documents' | 'cells'): Filter =>
  Object.fromEntries(
    Object.entries(where).flatMap(([name, condition]) => {
      if (!names.includes(name)) throw new Error(`${of} have no field ${name}`);
      const operators = operatorsOf(condition);
      return operators ? [[pathOf(name), operators]] : [];
    }),
  );

/** Whether documents that meet the condition may have no value as well as some: then nulls have to sort last. */
export const mayLack = (condition: Condition | undefined): boolean => {
  if (condition === undefined) return true;
  if (condition === null || typeof condition !== 'object') return false;
  if ('in' in condition) return condition.in.includes(null);
  return condition.from === undefined && condition.to === undefined;
};
