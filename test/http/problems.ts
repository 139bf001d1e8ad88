import { expect } from '@jest/globals';
import type { HttpResponse } from '../servers/client.js';

type Problem = {
  readonly type: string;
  readonly title: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
};

/** The error code of each field that has an error. A field with several errors has a list of their codes. */
export type CodesByField = Readonly<Record<string, string | readonly string[]>>;

/**
 * Expects a problem with this status, and with this kind at the end of its `type`. Its `errors` must have exactly the
 * fields and codes in `codes` (contract 4.4). Without `codes`, the problem must have no errors.
 */
export const expectProblem = (response: HttpResponse, status: number, kind: string, codes: CodesByField = {}): void => {
  const { type, errors = [] } = response.json as Problem;
  expect({ status: response.status, kind: type.split('/errors/')[1], codes: byField(errors) }).toEqual({
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

/** Expects a problem without `errors`. For a path below `/v1/openai`, expects an OpenAI error object instead (contract 41.9). */
export const expectFailure = (path: string, response: HttpResponse, status: number, kind: string): void => {
  if (!path.startsWith('/v1/openai')) return expectProblem(response, status, kind);
  expect([response.status, response.json]).toEqual([status, { error: expect.objectContaining({ code: kind }) as unknown }]);
};
