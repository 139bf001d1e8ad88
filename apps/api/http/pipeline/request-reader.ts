import type { FastifyRequest } from 'fastify';
import type { Call } from '../call.js';
import { parseIfMatch, parseIfNoneMatch } from '../consistency/entity-tags.js';
import { MAX_ERRORS, type FieldError } from '../problems/error-codes.js';
import type { OperationRecord } from '../operation.js';
import { UUID, UUID_WORDING } from '../patterns.js';
import { fieldProblem, Problem } from '../problems/problem.js';
import type { RawQuery } from '../validation/query-shape.js';

/** Matches an Idempotency-Key (contract 9.1). */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The errors of one part of a request. If `malformed`, the problem is a 400 (contract 4.2). */
type Fault = { readonly errors: readonly FieldError[]; readonly malformed: boolean };
/**
 * Validates one part of a request and stores it in the call.
 * Returns the errors, or null if the part is valid.
 */
type ReadPart = (request: FastifyRequest, call: Call) => Fault | null;

/**
 * Compiles the validation of an operation's requests. The returned function stores path, query, headers and
 * body in the call. It returns null, or a problem that lists all errors.
 */
export const compileRequestReader = (operation: OperationRecord): ((request: FastifyRequest, call: Call) => Problem | null) => {
  const parts = [
    [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => compileId(name, operation.anyIdForm === true)),
    // An operation without a query rejects every query parameter.
    [compileQuery(operation)],
    operation.idempotent ? [readIdempotencyKey] : [],
    operation.conditional ? [readIfMatch, readIfNoneMatch] : [],
    operation.body ? [compileBody(operation.body)] : [],
  ].flat();
  const needsBody = operation.body !== undefined;
  return (request, call) => {
    if (needsBody && request.body === undefined) return new Problem('malformed-request', 'A JSON body is required.');
    let faults: readonly Fault[] | null = null;
    for (const read of parts) {
      const fault = read(request, call);
      if (fault) faults = [...(faults ?? []), fault];
    }
    return faults && problemOf(faults, operation);
  };
};

const problemOf = (faults: readonly Fault[], { validationProblem }: OperationRecord): Problem =>
  fieldProblem(
    faults.some(({ malformed }) => malformed) ? 'invalid-request' : (validationProblem ?? 'validation-failed'),
    faults.flatMap(({ errors }) => errors),
  );

const malformed = (field: string, message: string): Fault => ({ errors: [{ field, message, code: 'INVALID_FORMAT' }], malformed: true });

/** Ids in paths are UUIDs (contract 3.1). */
const compileId =
  (name: string, acceptsAnyForm: boolean): ReadPart =>
  ({ params }, call) => {
    const { [name]: id = '' } = params as Readonly<Record<string, string | undefined>>;
    if (!acceptsAnyForm && !UUID.test(id)) return malformed(name, UUID_WORDING);
    call[name === 'id' ? 'id' : 'secondId'] = id.toLowerCase();
    return null;
  };

const compileQuery = ({ query, privileged }: OperationRecord): ReadPart => {
  const readQuery = query?.compile() ?? readNoQuery;
  const readPrivileged = privileged?.query.compile();
  return (request, call) => {
    const read = readPrivileged && privileged && call.caller?.scopes.has(privileged.scope) ? readPrivileged : readQuery;
    const result = read(request.query as RawQuery);
    if ('errors' in result) return result;
    call.query = result.value;
    return null;
  };
};

const readNoQuery = (raw: RawQuery): { readonly value: undefined } | Fault => {
  const errors: FieldError[] = [];
  for (const field in raw) {
    if (errors.length > MAX_ERRORS) break;
    errors.push({ field, message: 'is not a known query parameter', code: 'unknown_parameter' });
  }
  return errors.length > 0 ? { errors, malformed: true } : { value: undefined };
};

const readIdempotencyKey: ReadPart = ({ headers }, call) => {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    return malformed('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  call.idempotencyKey = key;
  return null;
};

const readIfMatch: ReadPart = ({ headers }, call) => {
  const header = headers['if-match'];
  if (header === undefined) return null;
  const tags = parseIfMatch(header);
  if (tags === null) return malformed('If-Match', 'must be * or entity tags in quotes');
  if (tags !== 'any') call.ifMatch = tags;
  return null;
};

const readIfNoneMatch: ReadPart = ({ headers }, call) => {
  const header = headers['if-none-match'];
  if (header === undefined) return null;
  const tags = parseIfNoneMatch(header);
  if (tags === null) return malformed('If-None-Match', 'must be * or entity tags in quotes');
  call.ifNoneMatch = tags;
  return null;
};

const compileBody = (shape: NonNullable<OperationRecord['body']>): ReadPart => {
  const read = shape.compile();
  return (request, call) => {
    const result = read(request.body);
    if ('errors' in result) return { errors: result.errors, malformed: false };
    call.body = result.value;
    return null;
  };
};
