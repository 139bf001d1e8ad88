import { ERROR_CODES, MAX_ERRORS, type FieldError } from '../../http/problems/error-codes.js';
import { PROBLEMS, type ProblemDescription, type ProblemKind } from '../../http/problems/problem-kinds.js';
import { SCHEMA_PREFIX } from '../../http/validation/schemas.js';

/** The name of each status's shared response. */
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
  417: 'ExpectationFailed',
  421: 'MisdirectedRequest',
  422: 'UnprocessableEntity',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalServerError',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
};

/** The shared response of a kind of problem. */
export const responseName = (kind: ProblemKind): string => {
  const name = RESPONSE_NAMES[PROBLEMS[kind].status];
  if (name === undefined) throw new Error(`no shared response for the status of ${kind}`);
  return name;
};

/** Headers of answers. */
export const headers = {
  ETag: { description: 'Entity tag of what is answered', schema: { type: 'string' }, example: '"0.1"' },
  Location: { description: 'Where the new resource is read', schema: { type: 'string', format: 'uri' } },
  'Idempotent-Replayed': {
    description: 'true when an earlier request with the same Idempotency-Key had made the resource',
    schema: { type: 'string', const: 'true' },
  },
  'Consistency-Token': {
    description: 'Sent back with a read, it waits for this write; only where the store runs on several machines',
    schema: { type: 'string' },
    example: 'pet=8.order=9',
  },
  'X-Callback-Request-Id': { description: 'The requestId that the callback will have', schema: { type: 'string', format: 'uuid' } },
  'X-Request-Id': { description: 'Id under which the request is logged', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Requests in a window', schema: { type: 'integer' }, example: 600 },
  'RateLimit-Remaining': { description: 'Requests left in this window', schema: { type: 'integer' }, example: 599 },
  'RateLimit-Reset': { description: 'Seconds to the end of this window', schema: { type: 'integer' }, example: 42 },
  RateLimit: { description: 'The same in one field', schema: { type: 'string' }, example: '"default";r=599;t=42' },
  'RateLimit-Policy': { description: 'The allowance', schema: { type: 'string' }, example: '"default";q=600;w=60' },
  'Retry-After': { description: 'Seconds after which to try again', schema: { type: 'integer' }, example: 5 },
  Allow: { description: 'The methods this address takes', schema: { type: 'string' }, example: 'GET, HEAD, OPTIONS' },
  'WWW-Authenticate': { description: 'What is wanted', schema: { type: 'string' }, example: 'Bearer realm="petstore"' },
  'Accept-Query': { description: 'The media type that QUERY takes here', schema: { type: 'string' }, example: 'application/json' },
} as const;

/** The headers that answers are documented with. */
export type HeaderName = keyof typeof headers;

/** References to headers by name. */
export const headerRefs = (...names: readonly HeaderName[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** On every answer of an operation. */
export const COMMON_HEADERS = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/** `*`, or entity tags, weak ones with their `W/`. */
const ENTITY_TAGS = '^(\\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$';

/** Headers of requests, and the id in paths. */
export const parameters = {
  consistencyToken: {
    name: 'Consistency-Token',
    in: 'header',
    description:
      'What a write has answered, as it is: the read waits until that write is to be seen, 2 seconds at most, then answers 503. Without effect where the store runs in one process.',
    schema: { type: 'string' },
    example: 'pet=8.order=9',
  },
  id: { name: 'id', in: 'path', required: true, description: 'Id of the resource', schema: { type: 'string', format: 'uuid' } },
  deliveryId: {
    name: 'deliveryId',
    in: 'path',
    required: true,
    description: 'Id of the delivery',
    schema: { type: 'string', format: 'uuid' },
  },
  redeliveryId: {
    name: 'redeliveryId',
    in: 'path',
    required: true,
    description: 'Id of the redelivery',
    schema: { type: 'string', format: 'uuid' },
  },
  tenant: {
    name: 'X-Tenant-ID',
    in: 'header',
    description: 'The tenant to act in; the shared pool without it',
    schema: { type: 'string', format: 'uuid' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Any text of yours: the same key with the same body is answered as the first time, and done once',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '7c1e0a34-order-1',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Only if the resource still has one of these entity tags',
    schema: { type: 'string', pattern: ENTITY_TAGS },
    example: '"0.1"',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Only if the resource has none of these entity tags: else 304 to a read, 412 to a change',
    schema: { type: 'string' },
    example: '"0.1"',
  },
};

const SPECIAL_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const FIELD_EXAMPLES: Readonly<Partial<Record<ProblemKind, readonly FieldError[]>>> = {
  'invalid-request': [{ field: 'id', message: 'must be a UUID', code: 'INVALID_FORMAT' }],
  'validation-failed': [
    { field: 'ageMonths', message: 'must be a whole number', code: 'invalid_type' },
    { field: 'species', message: 'must be one of DOG, CAT, RABBIT, BIRD, REPTILE, OTHER', code: 'invalid_enum' },
  ],
  'idempotency-key-reused': [
    { field: 'Idempotency-Key', message: 'must be a new key, because it was used with another body', code: 'mismatch' },
  ],
};

/** The shared responses, one for each status, with an example for each kind of problem that has it. */
export const problemResponses = (publicUrl: string): object => {
  const byName = Map.groupBy(Object.keys(PROBLEMS) as ProblemKind[], responseName);
  return Object.fromEntries([...byName].map(([name, kinds]) => [name, problemResponse(kinds, publicUrl)]));
};

const problemResponse = (kinds: readonly ProblemKind[], publicUrl: string): object => {
  const [first] = kinds;
  const status = first ? PROBLEMS[first].status : 500;
  return {
    description: kinds.map((kind) => PROBLEMS[kind].title).join(', or '),
    headers: headerRefs('X-Request-Id', ...(SPECIAL_HEADERS[status] ?? [])),
    content: {
      'application/problem+json': {
        schema: { $ref: `${SCHEMA_PREFIX}Problem` },
        examples: Object.fromEntries(kinds.map((kind) => [kind, problemExample(kind, publicUrl)])),
      },
    },
  };
};

const problemExample = (kind: ProblemKind, publicUrl: string): object => {
  const { status, title, cause }: ProblemDescription = PROBLEMS[kind];
  const errors = FIELD_EXAMPLES[kind];
  const value = { type: `${publicUrl}/errors/${kind}`, title, status, detail: cause, instance: '/v1/pets', ...(errors && { errors }) };
  return { summary: title, value };
};

/** The schemas of problems. */
export const PROBLEM_SCHEMAS = {
  Problem: {
    type: 'object',
    description: 'What went wrong (RFC 9457)',
    required: ['type', 'title', 'status', 'detail', 'instance'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'The kind of problem, and the address of the page that explains it' },
      title: { type: 'string', description: 'The kind in words' },
      status: { type: 'integer', description: 'The HTTP status' },
      detail: { type: 'string', description: 'This occurrence in words' },
      instance: { type: 'string', description: 'The path of the request' },
      errors: { type: 'array', items: { $ref: `${SCHEMA_PREFIX}FieldError` }, maxItems: MAX_ERRORS, description: 'Every failing field' },
      errorsTruncated: { type: 'boolean', const: true, description: `There are more errors than the ${MAX_ERRORS} that are listed` },
    },
  },
  FieldError: {
    type: 'object',
    description: 'A failing field',
    required: ['field', 'message', 'code'],
    properties: {
      field: { type: 'string', description: 'Dotted path', examples: ['medicalInfo.vaccinated', 'photos[0]'] },
      message: { type: 'string', description: 'What it must be' },
      code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    },
  },
};
