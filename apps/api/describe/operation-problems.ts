import type { OperationRecord } from '../http/operation.js';
import type { ProblemKind } from '../http/problems/problem-kinds.js';
import { REJECTION_PROBLEMS } from '../http/problems/rejection-problems.js';

/** Problems that every operation may answer: even one that needs no scope is `forbidden` in another tenant. */
const ALWAYS: readonly ProblemKind[] = [
  'invalid-request',
  'unauthorized',
  'forbidden',
  'too-many-requests',
  'internal-error',
  'temporarily-unavailable',
];

/** Returns every kind of problem that an operation may answer (contract 4.11). */
export const operationProblems = (operation: OperationRecord): readonly ProblemKind[] => [
  ...ALWAYS,
  ...requestProblems(operation),
  ...new Set(operation.problems.map((problem) => (typeof problem === 'string' ? REJECTION_PROBLEMS[problem].kind : 'not-found'))),
];

const requestProblems = ({ method, body, query, validationProblem, idempotent, conditional }: OperationRecord): readonly ProblemKind[] => [
  // A POST operation without a body still checks a body that it then ignores (contract 2.2).
  ...(body || method === 'POST' ? (['content-too-large', 'unsupported-media-type'] as const) : []),
  ...((body ?? query) && !validationProblem ? (['validation-failed'] as const) : []),
  // Without a body, a repeated request cannot differ from the first one.
  ...(body && idempotent ? (['idempotency-key-reused'] as const) : []),
  ...(conditional ? (['precondition-failed'] as const) : []),
];
