import type { Condition, Where } from '../../../eventsourcing/documents.port.js';
import { pathOf } from './declared.js';

/** A filter of MongoDB's. */
export type Filter = Readonly<Record<string, unknown>>;

/** What every condition comes to is an operator of ours: no caller's value can become one. */
const operatorsOf = (condition: Condition): Filter | null => {
  if (condition === null || typeof condition !== 'object') return { $eq: condition };
  if ('in' in condition) return { $in: condition.in };
  const { from, to } = condition;
  // MongoDB compares within one type: nothing without a value is in a range.
  return from === undefined && to === undefined
    ? null
    : { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) };
};

/** The filter for conditions on these fields. Throws when another is asked for. */
export const filterOf = (names: readonly string[], where: Where, of: 'documents' | 'cells'): Filter =>
  Object.fromEntries(
    Object.entries(where).flatMap(([name, condition]) => {
      if (!names.includes(name)) throw new Error(`there is no ${name} to ask ${of} for`);
      const operators = operatorsOf(condition);
      return operators ? [[pathOf(name), operators]] : [];
    }),
  );

/** Whether what meets the condition may lack a value and differ in it: then it matters that nulls sort last. */
export const mayLack = (condition: Condition | undefined): boolean => {
  if (condition === undefined) return true;
  if (condition === null || typeof condition !== 'object') return false;
  if ('in' in condition) return condition.in.includes(null);
  return condition.from === undefined && condition.to === undefined;
};
