import type { OperationRecord } from '../http/operation.js';
import type { ProblemKind } from '../http/problems/problem-kinds.js';
import { REJECTION_PROBLEMS } from '../http/problems/rejection-problems.js';

/**
 * The kinds of problems that every operation may return. `forbidden` is one of them: even if an operation
 * requires no scope, the token may be bound to another tenant.
 */
const ALWAYS: readonly ProblemKind[] = [
  'invalid-request',
  'unauthorized',
  'forbidden',
  'too-many-requests',
  'internal-error',
  'temporarily-unavailable',
];

/** Returns every kind of problem that an operation may return (contract 4.11). */
export const operationProblems = (operation: OperationRecord): readonly ProblemKind[] => [
  ...ALWAYS,
  ...requestProblems(operation),
  ...new Set(operation.problems.map((problem) => (typeof problem === 'string' ? REJECTION_PROBLEMS[problem].kind : 'not-found'))),
];

const requestProblems = ({ method, body, query, validationProblem, idempotent, conditional }: OperationRecord): readonly ProblemKind[] => [
  // A POST operation that takes no body still parses a sent body, and then ignores it (contract 2.2).
  ...(body || method === 'POST' ? (['content-too-large', 'unsupported-media-type'] as const) : []),
  ...((body ?? query) && !validationProblem ? (['validation-failed'] as const) : []),
  // Without a body, a repeated request cannot differ from the first one.
  ...(body && idempotent ? (['idempotency-key-reused'] as const) : []),
  ...(conditional ? (['precondition-failed'] as const) : []),
];
