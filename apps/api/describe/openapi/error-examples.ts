import { scopesOf } from '../../http/admission/access.js';
import { scopeText, tokenInvalid } from '../../http/admission/authorization.js';
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

/** The request path in the examples that all operations share. */
const ANY_PATH = '/v1/the/path/of/the/request';

const PET = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const ORDER = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';
const WEBHOOK = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const DELIVERY = '8a1d2c3b-4e5f-5a6b-8c7d-9e0f1a2b3c4d';
const REDELIVERY = '0190a6b6-4a5b-7e78-9f4d-7b5e9a6c8da4';
const IMAGE = '0190a6b7-5b6c-7f89-8a5e-8c6faab79db5';
const INVALID_ID = '42';

/**
 * Examples that are right for every operation. The document has them instead of the examples of the error pages
 * (`PROBLEM_EXAMPLES`), which would be wrong for most operations. All other kinds have the examples of the error pages.
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
 * Returns the examples for one error response of an operation. `kinds` are the problems with the status of this response.
 * For a kind without its own example for this operation, returns the shared example. Returns null if no kind has its own
 * example. In that case, the document refers to the shared response.
 */
export const operationExamples = (operation: OperationRecord, kinds: readonly ProblemKind[]): readonly ProblemExample[] | null => {
  const own = kinds.map((kind) => ownExamples(operation, kind));
  if (own.every((examples) => examples.length === 0)) return null;
  const instance = pathOf(operation);
  return kinds.flatMap((kind, index) => (own[index]?.length ? own[index] : [{ ...sharedExample(kind), instance }]));
};

/** Returns the examples that only this operation has. Returns an empty list if the shared example suffices. */
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
      return [{ name: kind, problem: new Problem(kind, scopeText(scopesOf(requirement))), instance }];
    case 'not-found':
    case 'conflict':
      return operation.problems.flatMap((problem): readonly ProblemExample[] => {
        if (typeof problem !== 'string')
          return kind === 'not-found' ? [{ name: kind, problem: new Problem(kind, problem.notFound, problem), instance }] : [];
        if (REJECTION_PROBLEMS[problem].kind !== kind) return [];
        return [{ name: problem, problem: rejectionProblem({ rejected: problem }), instance }];
      });
    default:
      return [];
  }
};

/**
 * Returns an example of `invalid-request`, which has the status 400. If the path has UUIDs, the example has an invalid id.
 * Otherwise, an operation with a `validationProblem` has an example with an invalid body or query (contract 4.3). For any
 * other operation, the example has a query value of the wrong type (contract 4.2). The list is empty if there is no example.
 */
const invalidRequestExamples = (operation: OperationRecord): readonly ProblemExample[] => {
  const kind = 'invalid-request';
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, field = '']): FieldError => ({
    field,
    message: UUID_WORDING,
    code: 'INVALID_FORMAT',
  }));
  if (ids.length > 0 && !operation.idForm) return fieldExample(kind, ids, operation.path.replaceAll(/\{\w+\}/g, INVALID_ID));
  const { validationProblem } = operation;
  const errors = validationProblem ? (invalidBodyErrors(operation) ?? invalidQueryErrors(operation)) : wrongTypeQueryErrors(operation);
  return fieldExample(kind, errors ?? [], operation.path);
};

const fieldExample = (
  kind: 'invalid-request' | 'validation-failed',
  errors: readonly FieldError[],
  instance: string,
): readonly ProblemExample[] => (errors.length > 0 ? [{ name: kind, problem: fieldProblem(kind, errors), instance }] : []);

/**
 * Returns the path of an operation with example ids in place of its parameters. `{id}` becomes the id of the example pet or
 * order. For all other resources, it becomes the id of the example webhook.
 */
const pathOf = ({ path }: OperationRecord): string => {
  const id = path.startsWith('/v1/pets') ? PET : path.startsWith('/v1/orders') ? ORDER : WEBHOOK;
  return path
    .replace('{id}', id)
    .replace('{imageId}', IMAGE)
    .replace('{stream}', `pet-${PET}`)
    .replace('{deliveryId}', DELIVERY)
    .replace('{redeliveryId}', REDELIVERY);
};
