import type { FastifyRequest } from 'fastify';
import { OPS } from '../admission/access.js';
import { MAX_REASON } from '../../../../libs/domain/operations/operator-actions.js';
import type { Call } from '../call.js';
import { parseEntityTags } from '../consistency/entity-tags.js';
import { MAX_ERRORS, type FieldError } from '../problems/error-codes.js';
import type { OperationRecord } from '../operation.js';
import { UUID, UUID_WORDING } from '../patterns.js';
import { isFreeText } from '../validation/formats.js';
import { fieldProblem, Problem } from '../problems/problem.js';
import { MAX_METADATA, type UploadBody } from '../bodies/image-uploads.js';
import { isForm } from '../bodies/json-body.js';
import { unknownParameter, type RawQuery } from '../validation/query-shape.js';

/** Matches an Idempotency-Key (contract 9.1). */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The errors of one part of a request. If `malformed` is true, the status of the problem is 400 (contract 4.2). If it is
 * false, the status is 422, or 400 for an operation with a `validationProblem` (contract 4.3).
 */
type Fault = { readonly errors: readonly FieldError[]; readonly malformed: boolean };
/**
 * Validates one part of a request and stores it in the call.
 * Returns the errors, or null if the part is valid.
 */
type ReadPart = (request: FastifyRequest, call: Call) => Fault | null;

/**
 * Compiles the validation of an operation's requests. The returned function validates path, query, headers and body, and
 * stores them in the call, and where Nest's decorators `@Param()`, `@Query()` and `@Body()` find them. It returns null for a valid request, or else a problem that lists all errors.
 */
export const compileRequestReader = (operation: OperationRecord): ((request: FastifyRequest, call: Call) => Problem | null) => {
  const parts = [
    [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ''], index) => compileId(name, index, operation)),
    // An operation without a query rejects every query parameter.
    [compileQuery(operation)],
    operation.idempotent ? [readIdempotencyKey] : [],
    operation.takesReason ? [readReason] : [],
    operation.conditional ? [readIfMatch, readIfNoneMatch] : [],
    operation.body ? [compileBody(operation.body)] : [],
    operation.upload ? [readUpload] : [],
  ].flat();
  const missingBody = missingBodyDetail(operation);
  return (request, call) => {
    if (missingBody !== null && request.body === undefined) return new Problem('malformed-request', missingBody);
    let faults: readonly Fault[] | null = null;
    for (const read of parts) {
      const fault = read(request, call);
      if (fault) faults = [...(faults ?? []), fault];
    }
    return faults && problemOf(faults, operation);
  };
};

/** Returns the `detail` of the problem for a missing body, or null if the operation needs no body. */
const missingBodyDetail = ({ body, form, upload, uploadAlone }: OperationRecord): string | null => {
  if (body) return form ? 'A body is required, a form or JSON.' : 'A JSON body is required.';
  if (uploadAlone) return 'A file is required, in multipart/form-data or alone as application/octet-stream.';
  return upload ? 'A body of multipart/form-data is required.' : null;
};

const problemOf = (faults: readonly Fault[], { validationProblem }: OperationRecord): Problem =>
  fieldProblem(
    faults.some(({ malformed }) => malformed) ? 'invalid-request' : (validationProblem ?? 'validation-failed'),
    faults.flatMap(({ errors }) => errors),
  );

const malformed = (field: string, message: string): Fault => ({ errors: [{ field, message, code: 'INVALID_FORMAT' }], malformed: true });

/** Reads an id in the path. The id must be a UUID (contract 3.1), unless the operation has an `idForm`. */
const compileId =
  (name: string, index: number, { idForm }: Pick<OperationRecord, 'idForm'>): ReadPart =>
  ({ params }, call) => {
    const { [name]: id = '' } = params as Readonly<Record<string, string | undefined>>;
    if (!idForm && !UUID.test(id)) return malformed(name, UUID_WORDING);
    if (idForm === 'number' && !isNumber(id)) return malformed(name, 'must be a positive integer below 2^53');
    const canonical = idForm === 'case-sensitive' || idForm === 'name' ? id : id.toLowerCase();
    call[index === 0 ? 'id' : 'secondId'] = canonical;
    (params as Record<string, string>)[name] = canonical;
    return null;
  };

/**
 * Returns whether a text is an id of the classic variant: a positive integer below 2^53 (contract 39.3). Some JSON parsers
 * round larger integers.
 */
const isNumber = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));

const compileQuery = ({ query, privileged, queryInForm }: OperationRecord): ReadPart => {
  const readQuery = query?.compile() ?? readNoQuery;
  const readPrivileged = privileged?.query.compile();
  return (request, call) => {
    const read = readPrivileged && privileged && call.caller?.scopes.has(privileged.scope) ? readPrivileged : readQuery;
    const raw = request.query as RawQuery;
    const sent = queryInForm && isForm(request) ? { ...raw, ...(request.body as RawQuery | undefined) } : raw;
    const result = read(sent, request.originalUrl);
    if ('errors' in result) return result;
    call.query = result.value;
    if (result.value !== undefined) request.query = result.value;
    return null;
  };
};

const readNoQuery = (raw: RawQuery): { readonly value: undefined } | Fault => {
  const errors: FieldError[] = [];
  for (const field in raw) {
    // One error beyond MAX_ERRORS makes the problem state `errorsTruncated` (contract 4.5).
    if (errors.length > MAX_ERRORS) break;
    errors.push(unknownParameter(field, []));
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

/** Reads a text that a header can carry: UTF-8, percent-encoded. A header itself has only visible ASCII. */
const readReason: ReadPart = ({ headers }, call) => {
  const header = headers['change-reason'];
  // A person who changes their own account must not leave a text that outlives an erasure.
  if (header === undefined || call.caller?.scopes.has(OPS) !== true) return null;
  const reason = decoded(header);
  // The spread counts code points, unlike `length` (contract 3.3).
  if (reason === null || reason.trim() === '' || [...reason].length > MAX_REASON || !isFreeText(reason))
    return malformed('Change-Reason', `must be 1 to ${MAX_REASON} characters in UTF-8, percent-encoded, without control characters`);
  call.reason = reason;
  return null;
};

const decoded = (header: string | readonly string[]): string | null => {
  try {
    return typeof header === 'string' && /^[\x20-\x7e]*$/.test(header) ? decodeURIComponent(header) : null;
  } catch {
    return null;
  }
};

const readIfMatch: ReadPart = ({ headers }, call) => {
  const header = headers['if-match'];
  if (header === undefined) return null;
  const tags = parseEntityTags(header);
  if (tags === null) return malformed('If-Match', 'must be * or entity tags in quotes');
  if (tags !== 'any') call.ifMatch = tags;
  return null;
};

const readIfNoneMatch: ReadPart = ({ headers }, call) => {
  const header = headers['if-none-match'];
  if (header === undefined) return null;
  const tags = parseEntityTags(header);
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
    request.body = result.value;
    return null;
  };
};

/** Stores an upload in the call, and checks the length of its text. The upload was parsed when its body was received. */
const readUpload: ReadPart = ({ body }, call) => {
  const upload = body as UploadBody;
  call.body = upload;
  const text = upload.additionalMetadata ?? '';
  const field = 'additionalMetadata';
  // The spread counts code points, unlike `length` (contract 3.3).
  if ([...text].length > MAX_METADATA)
    return { errors: [{ field, message: `must have at most ${MAX_METADATA} characters`, code: 'too_long' }], malformed: false };
  if (isFreeText(text)) return null;
  const message = 'must have no control characters but line feeds and tabs';
  return { errors: [{ field, message, code: 'INVALID_FORMAT' }], malformed: false };
};
