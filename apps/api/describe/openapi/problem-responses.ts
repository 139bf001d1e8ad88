import type { OperationRecord } from '../../http/operation.js';
import { PROBLEMS, type ProblemKind } from '../../http/problems/problem-kinds.js';
import { isOpenaiPath, OPENAI_ERROR, openaiError } from '../../http/problems/openai-error.js';
import { problemBody } from '../../http/problems/problem.js';
import { SCHEMA_PREFIX } from '../../http/validation/schemas.js';
import { operationProblems } from '../operation-problems.js';
import { headerRefs, type HeaderName } from './headers.js';
import { operationExamples, sharedExample, type ProblemExample } from './error-examples.js';

/** The names of the shared responses, by status. */
const RESPONSE_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  417: 'ExpectationFailed',
  421: 'MisdirectedRequest',
  422: 'UnprocessableEntity',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalServerError',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
};

/** The additional headers of error responses, by status. Every error response has X-Request-Id. */
const SPECIAL_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const KINDS = Object.keys(PROBLEMS) as ProblemKind[];
const statusOf = (kind: ProblemKind): number => PROBLEMS[kind].status;

const responseName = (status: number): string => {
  const name = RESPONSE_NAMES[status];
  if (name === undefined) throw new Error(`no shared response for status ${status}`);
  return name;
};

/**
 * Creates the shared error responses, one for each status.
 * A response has one example for every kind of problem that has the status of the response.
 */
export const problemResponses = (publicUrl: string): object =>
  Object.fromEntries(
    [...Map.groupBy(KINDS, statusOf)].map(([status, kinds]) => [
      responseName(status),
      problemResponse(status, kinds, kinds.map(sharedExample), publicUrl),
    ]),
  );

/**
 * Creates the error responses of an operation, by status. Each response is a reference to the shared response of its
 * status, unless the operation has its own examples. Operations under /v1/openai never refer to a shared
 * response, because they return errors in the form of OpenAI's API (contract 41.9).
 */
export const operationProblemResponses = (operation: OperationRecord, publicUrl: string): object => {
  const byStatus = Map.groupBy(operationProblems(operation), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => {
      const own = operationExamples(operation, kinds);
      const name = responseName(status);
      if (isOpenaiPath(operation.path)) return [status, openaiErrorResponse(status, kinds, own ?? kinds.map(sharedExample))];
      return [status, own ? problemResponse(status, kinds, own, publicUrl) : { $ref: `#/components/responses/${name}` }];
    }),
  );
};

const problemResponse = (
  status: number,
  kinds: readonly ProblemKind[],
  examples: readonly ProblemExample[],
  publicUrl: string,
): object => ({
  description: kinds.map((kind) => PROBLEMS[kind].title).join(', or '),
  headers: headerRefs('X-Request-Id', ...(SPECIAL_HEADERS[status] ?? [])),
  content: {
    'application/problem+json': {
      schema: { $ref: `${SCHEMA_PREFIX}Problem` },
      examples: Object.fromEntries(
        examples.map(({ name, problem, instance }) => [
          name,
          { summary: PROBLEMS[problem.kind].title, value: problemBody(problem, publicUrl, instance) },
        ]),
      ),
    },
  },
});

/** Describes an error response in the form of OpenAI's API (contract 41.9). */
const openaiErrorResponse = (status: number, kinds: readonly ProblemKind[], examples: readonly ProblemExample[]): object => ({
  description: kinds.map((kind) => PROBLEMS[kind].title).join(', or '),
  headers: headerRefs('X-Request-Id', ...(SPECIAL_HEADERS[status] ?? [])),
  content: {
    'application/json': {
      schema: { $ref: `${SCHEMA_PREFIX}${OPENAI_ERROR.name}` },
      examples: Object.fromEntries(examples.map(({ name, problem }) => [name, { value: openaiError(problem) }])),
    },
  },
});
