import { fieldProblem } from './problems/problem.js';

/** Throws a problem if the body has another id than the path (contract 3.9). `id` is the id in the path, in lower case. */
export const rejectOtherId = (body: { readonly id?: unknown }, id: string): void => {
  if (body.id !== undefined && !(typeof body.id === 'string' && body.id.toLowerCase() === id))
    throw fieldProblem('validation-failed', [{ field: 'id', message: 'must be the id in the path', code: 'mismatch' }]);
};
