import type { OperationRecord } from '../http/operation.js';
import type { ProblemKind } from '../http/problems/problem-kinds.js';
import { REJECTION_PROBLEMS } from '../http/problems/rejection-problems.js';

/**
 * The kinds of problems that every operation may return. Even an operation that requires no scope returns `forbidden` for a
 * token that is bound to another tenant than the one in X-Tenant-ID (contract 6.3).
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
  ...new Set(operation.problems.map((reason) => (typeof reason === 'string' ? REJECTION_PROBLEMS[reason].kind : 'not-found'))),
];

/** Returns whether an operation reads by POST. Such a read has an entity tag, but is never 304 (contract 8.2). */
export const isReadByPost = ({ method, readsOnly, success }: Pick<OperationRecord, 'method' | 'readsOnly' | 'success'>): boolean =>
  method === 'POST' && readsOnly === true && !success.isComputed;

const requestProblems = ({
  method,
  query,
  validationProblem,
  idempotent,
  conditional,
  success,
  ...operation
}: OperationRecord): readonly ProblemKind[] => {
  const body = operation.body ?? operation.upload;
  return [
    // A POST operation without a body still parses a body that a client sends, and then ignores it (contract 2.2).
    ...(body || method === 'POST' ? (['content-too-large', 'unsupported-media-type'] as const) : []),
    ...((body ?? query) && !validationProblem ? (['validation-failed'] as const) : []),
    // Without a body, two requests with the same key cannot differ.
    ...(body && idempotent ? (['idempotency-key-reused'] as const) : []),
    ...(conditional || isReadByPost({ method, success, ...operation }) ? (['precondition-failed'] as const) : []),
    ...(success.binary ? (['range-not-satisfiable'] as const) : []),
  ];
};
