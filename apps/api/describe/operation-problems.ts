import type { OperationRecord } from '../http/operation.js';
import type { ProblemKind } from '../http/problems/problem-kinds.js';
import { REJECTION_PROBLEMS } from '../http/problems/rejection-problems.js';

/** Any operation may answer these. `forbidden` is among them because a token of one tenant may not act in another. */
const ALWAYS: readonly ProblemKind[] = [
  'invalid-request',
  'unauthorized',
  'forbidden',
  'too-many-requests',
  'internal-error',
  'temporarily-unavailable',
];

/** Every kind of problem that an operation may answer (contract 4.11). */
export const operationProblems = (operation: OperationRecord): readonly ProblemKind[] => [
  ...ALWAYS,
  ...requestProblems(operation),
  ...new Set(operation.problems.map((problem) => (typeof problem === 'string' ? REJECTION_PROBLEMS[problem].kind : 'not-found'))),
];

const requestProblems = ({ method, body, query, violations, idempotent, conditional }: OperationRecord): readonly ProblemKind[] => [
  // A POST that takes no body still checks the body that it ignores (contract 2.2).
  ...(body || method === 'POST' ? (['content-too-large', 'unsupported-media-type'] as const) : []),
  ...((body ?? query) && !violations ? (['validation-failed'] as const) : []),
  // A repeated request without a body is always the same request.
  ...(body && idempotent ? (['idempotency-key-reused'] as const) : []),
  ...(conditional ? (['precondition-failed'] as const) : []),
];
