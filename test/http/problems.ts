import { expect } from '@jest/globals';
import type { Answer } from '../servers/client.js';

type Problem = {
  readonly type: string;
  readonly title: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
};

/** The error code of each failing field, or all its codes. */
export type CodesByField = Readonly<Record<string, string | readonly string[]>>;

/**
 * Expects a problem with this status and kind, and exactly these failing fields and codes (contract 4.4).
 * Without `codes` it expects no errors.
 */
export const expectProblem = (answer: Answer, status: number, kind: string, codes: CodesByField = {}): void => {
  const { type, errors = [] } = answer.json as Problem;
  expect({ status: answer.status, kind: type.split('/errors/')[1], codes: byField(errors) }).toEqual({
    status,
    kind,
    codes: sorted(codes),
  });
  expect(errors.filter(({ message }) => message === '')).toEqual([]);
};

const byField = (errors: readonly { readonly field: string; readonly code: string }[]): CodesByField => {
  const fields = Map.groupBy(errors, ({ field }) => field);
  return sorted(Object.fromEntries([...fields].map(([field, all]) => [field, all.map(({ code }) => code)])));
};

const sorted = (codes: CodesByField): CodesByField =>
  Object.fromEntries(Object.entries(codes).map(([field, ofField]) => [field, [ofField].flat().toSorted()]));
