import { isReadByPost } from '../operation-problems.js';
import { scopesOf, type Requirement } from '../../http/admission/access.js';
import { isRead, type OperationRecord } from '../../http/operation.js';
import { QUERY_PATHS } from '../../http/pipeline/perimeter.js';
import { IMAGE_TYPES } from '../../../../libs/domain/pets/pet-image.js';
import { dtoSchemas, SCHEMA_PREFIX, type NamedSchema } from '../../http/validation/schemas.js';
import { COMMON_HEADERS, headerRefs } from './headers.js';
import { operationProblemResponses } from './problem-responses.js';
import { orderCallbacks } from './receivers.js';
import { withoutPrivateRules } from './schemas.js';

/** Creates the path items. Each path has one item, which contains all operations on the path. */
export const pathItems = (operations: readonly OperationRecord[], publicUrl: string, outsideIssuer: string | null): object => {
  const items: Record<string, Record<string, object>> = {};
  for (const operation of operations)
    (items[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(operation, publicUrl, outsideIssuer);
  return items;
};

const operationObject = (operation: OperationRecord, publicUrl: string, outsideIssuer: string | null): object => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  parameters: [...parameterRefs(operation), ...queryParameters(operation)],
  ...((operation.body ?? operation.upload) && { requestBody: requestBody(operation) }),
  responses: responses(operation, publicUrl),
  ...(operation.id === 'callbackOrder' && { callbacks: orderCallbacks() }),
  security: security(operation.access.documented, outsideIssuer),
});

/** Returns whether an operation is a read that may respond with 304. A computed response has no entity tag. */
const isConditionalRead = (operation: OperationRecord): boolean =>
  isRead(operation) && operation.method !== 'POST' && !operation.success.isComputed;

const parameterRefs = (operation: OperationRecord): readonly object[] =>
  [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    'tenant',
    operation.idempotent && 'idempotencyKey',
    operation.takesReason && 'changeReason',
    operation.conditional && 'ifMatch',
    isConditionalRead(operation) && 'ifNoneMatch',
    isReadByPost(operation) && 'ifNoneMatchOfPost',
    operation.success.binary && 'range',
    operation.success.binary && 'ifRange',
    operation.conditional && 'ifNoneMatchOfChange',
    isRead(operation) && 'consistencyToken',
  ].flatMap((name) => (name ? [{ $ref: `#/components/parameters/${name}` }] : []));

const queryParameters = ({ query }: OperationRecord): readonly object[] =>
  Object.entries((query && dtoSchemas()[query.dto.name]?.properties) ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema: withoutPrivateRules(schema),
    ...(schema.type === 'array' && { style: 'form', explode: false }),
  }));

const requestBody = ({ body, upload, bodyExample, furtherBodyExamples = {} }: OperationRecord): object => ({
  required: true,
  content: upload
    ? uploadContent(upload)
    : {
        'application/json': {
          schema: { $ref: `${SCHEMA_PREFIX}${body?.dto.name}` },
          examples: { typical: { value: bodyExample }, ...bodyExamples(furtherBodyExamples) },
        },
      },
});

/** Names examples by what they show: `Card, declined` is `card-declined`. */
const bodyExamples = (examples: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [summary.toLowerCase().replace(/[^a-z]+/g, '-'), { summary, value }]),
  );

const uploadContent = ({ name }: NamedSchema): object => ({
  'multipart/form-data': {
    schema: { $ref: `${SCHEMA_PREFIX}${name}` },
    encoding: { file: { contentType: IMAGE_TYPES.join(', ') }, additionalMetadata: { contentType: 'text/plain' } },
  },
});

const responses = (operation: OperationRecord, publicUrl: string): object => {
  const { success, path, idempotent } = operation;
  const names = [
    ...COMMON_HEADERS,
    ...((success.schema ?? success.binary) !== undefined && !success.withoutEtag && !success.isComputed ? (['ETag'] as const) : []),
    ...((success.status === 201 || success.status === 202) && !success.isComputed ? (['Location'] as const) : []),
    ...(success.headers ?? []),
    ...(idempotent && success.status !== 202 ? (['Idempotent-Replayed'] as const) : []),
    ...(isRead(operation) || success.status === 202 ? [] : (['Consistency-Token'] as const)),
    ...(QUERY_PATHS.has(path) && isRead(operation) ? (['Accept-Query'] as const) : []),
  ];
  const successResponse = {
    description: success.description,
    headers: headerRefs(...names),
    ...((success.schema ?? success.events) && {
      content: {
        ...(success.schema && {
          'application/json': {
            schema: { $ref: `${SCHEMA_PREFIX}${success.schema.name}` },
            examples: { typical: { value: success.example } },
          },
        }),
        ...(success.events && { 'text/event-stream': eventContent(success.events, success.eventNames) }),
      },
    }),
    ...(success.binary && { content: binaryContent(success.binary) }),
    ...(success.download !== undefined && { content: binaryContent([success.download]) }),
  };
  const partial = success.binary
    ? {
        206: {
          description: 'The bytes of the requested range',
          headers: headerRefs(...names, 'Content-Range'),
          content: binaryContent(success.binary),
        },
      }
    : {};
  const notModified = isConditionalRead(operation) ? { 304: { description: 'Not modified: the client has this representation' } } : {};
  return { [success.status]: successResponse, ...partial, ...notModified, ...operationProblemResponses(operation, publicUrl) };
};

/** Describes a body of bytes. JSON Schema has no type for bytes, so the schema is a string with the format `binary`. */
const binaryContent = (mediaTypes: readonly string[]): object =>
  Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

/**
 * Describes a stream of server-sent events. `itemSchema`, which is new in OpenAPI 3.2, is the schema of one event. Older
 * tools read only `schema`, which describes the stream as text.
 */
const eventContent = ({ name }: NamedSchema, names: readonly string[] = []): object => ({
  schema: { type: 'string', description: 'Server-sent events. A line that begins with a colon is a comment: ignore it' },
  itemSchema: {
    type: 'object',
    required: ['data'],
    properties: {
      event:
        names.length > 0
          ? { type: 'string', 'x-extensible-enum': names, description: 'What the data are' }
          : { type: 'string', const: 'error', description: 'Present only if an error ends the stream. `data` is then a Problem' },
      data: {
        type: 'string',
        description: names.length > 0 ? 'JSON' : 'The JSON of a chunk, or `[DONE]` at the end',
        contentMediaType: 'application/json',
        contentSchema: { $ref: `${SCHEMA_PREFIX}${name}` },
      },
    },
  },
});

/**
 * Returns the security requirement of an operation. `bearerToken` and `bearerAuth` are two security schemes for the same
 * token (contract 5.9). An operation uses `bearerToken` if contract 5.6 requires `any token` or `subject` for it.
 */
const security = (requirement: Requirement, outsideIssuer: string | null): readonly object[] => {
  if (requirement === 'nothing') return [];
  if (requirement === 'token' || requirement === 'subject') return [{ bearerToken: [] }];
  const scopes = typeof requirement === 'string' ? [[]] : scopesOf(requirement).map((scope) => [scope]);
  return [{ bearerAuth: [] }, ...(outsideIssuer === null ? scopes.map((oauth2) => ({ oauth2 })) : [])];
};
