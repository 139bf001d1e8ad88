import { tokenInvalid } from '../../http/admission/authorization.js';
import type { OperationRecord } from '../../http/operation.js';
import { UUID_WORDING } from '../../http/patterns.js';
import type { FieldError } from '../../http/problems/error-codes.js';
import type { ProblemKind } from '../../http/problems/problem-kinds.js';
import { fieldProblem, Problem } from '../../http/problems/problem.js';
import { REJECTION_PROBLEMS, rejectionProblem } from '../../http/problems/rejection-problems.js';
import { PROBLEM_EXAMPLES } from '../pages/errors/problem-examples.js';
import { invalidBodyErrors, invalidQueryErrors, wrongTypeQueryErrors } from './invalid-requests.js';

/** An example of an error response. */
export type ProblemExample = { readonly name: string; readonly problem: Problem; readonly instance: string };

/** The request path in examples that all operations share. */
const ANY_PATH = '/v1/the/path/of/the/request';

const PET = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const ORDER = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';
const WEBHOOK = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const DELIVERY = '8a1d2c3b-4e5f-5a6b-8c7d-9e0f1a2b3c4d';
const REDELIVERY = '0190a6b6-4a5b-7e78-9f4d-7b5e9a6c8da4';
const INVALID_ID = '42';

/**
 * Examples for all operations.
 * The example on an error page is for one operation, so it may be wrong for others.
 */
const SHARED_EXAMPLES: Readonly<Partial<Record<ProblemKind, Problem>>> = {
  'invalid-request': fieldProblem('invalid-request', [{ field: 'X-Tenant-ID', message: UUID_WORDING, code: 'INVALID_FORMAT' }]),
  unauthorized: tokenInvalid(),
  forbidden: new Problem('forbidden', 'The token is bound to another tenant than the one in X-Tenant-ID.'),
  'validation-failed': rejectionProblem({ rejected: 'payment_mismatch' }),
  'idempotency-key-reused': rejectionProblem({ rejected: 'idempotency_key_reused' }),
};

/** Returns an example of a kind of problem, for the response that all operations share. */
export const sharedExample = (kind: ProblemKind): ProblemExample => ({
  name: kind,
  problem: SHARED_EXAMPLES[kind] ?? new Problem(kind, PROBLEM_EXAMPLES[kind].detail),
  instance: ANY_PATH,
});

/**
 * Returns the examples of an operation for the kinds of one status, or null if the shared response suffices.
 */
export const operationExamples = (operation: OperationRecord, kinds: readonly ProblemKind[]): readonly ProblemExample[] | null => {
  const own = kinds.map((kind) => ownExamples(operation, kind));
  if (own.every((examples) => examples.length === 0)) return null;
  const instance = pathOf(operation);
  return kinds.flatMap((kind, index) => (own[index]?.length ? own[index] : [{ ...sharedExample(kind), instance }]));
};

/** Returns the examples that only this operation has. Returns none if the shared example suffices. */
const ownExamples = (operation: OperationRecord, kind: ProblemKind): readonly ProblemExample[] => {
  const instance = pathOf(operation);
  const requirement = operation.access.documented;
  switch (kind) {
    case 'invalid-request':
      return invalidRequestExamples(operation);
    case 'validation-failed':
      return fieldExample(kind, invalidBodyErrors(operation) ?? invalidQueryErrors(operation) ?? [], instance);
    case 'forbidden':
      if (typeof requirement === 'string') return [];
      return [{ name: kind, problem: new Problem(kind, `This operation needs a token with scope ${requirement.scope}.`), instance }];
    case 'not-found':
    case 'conflict':
      return operation.problems.flatMap((problem): readonly ProblemExample[] => {
        if (typeof problem !== 'string')
          return kind === 'not-found' ? [{ name: kind, problem: new Problem(kind, problem.notFound), instance }] : [];
        if (REJECTION_PROBLEMS[problem].kind !== kind) return [];
        return [{ name: problem, problem: rejectionProblem({ rejected: problem }), instance }];
      });
    default:
      return [];
  }
};

const invalidRequestExamples = (operation: OperationRecord): readonly ProblemExample[] => {
  const kind = 'invalid-request';
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, field = '']): FieldError => ({
    field,
    message: UUID_WORDING,
    code: 'INVALID_FORMAT',
  }));
  if (ids.length > 0 && !operation.anyIdForm) return fieldExample(kind, ids, operation.path.replaceAll(/\{\w+\}/g, INVALID_ID));
  const { validationProblem } = operation;
  const errors = validationProblem ? (invalidBodyErrors(operation) ?? invalidQueryErrors(operation)) : wrongTypeQueryErrors(operation);
  return fieldExample(kind, errors ?? [], operation.path);
};

const fieldExample = (
  kind: 'invalid-request' | 'validation-failed',
  errors: readonly FieldError[],
  instance: string,
): readonly ProblemExample[] => (errors.length > 0 ? [{ name: kind, problem: fieldProblem(kind, errors), instance }] : []);

/** Returns the request path of an operation, with the same ids as in the other examples of the document. */
const pathOf = ({ path }: OperationRecord): string => {
  const id = path.startsWith('/v1/pets') ? PET : path.startsWith('/v1/orders') ? ORDER : WEBHOOK;
  return path.replace('{id}', id).replace('{deliveryId}', DELIVERY).replace('{redeliveryId}', REDELIVERY);
};
