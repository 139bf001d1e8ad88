import type { Requirement } from '../../http/admission/access.js';
import type { OperationRecord } from '../../http/operation.js';
import { QUERY_PATHS } from '../../http/pipeline/perimeter.js';
import { dtoSchemas, SCHEMA_PREFIX } from '../../http/validation/schemas.js';
import { COMMON_HEADERS, headerRefs } from './headers.js';
import { operationProblemResponses } from './problem-responses.js';
import { orderCallbacks } from './receivers.js';
import { withoutPrivateRules } from './schemas.js';

/** Creates a path item for each path, with its operations. */
export const pathItems = (operations: readonly OperationRecord[], publicUrl: string): object => {
  const items: Record<string, Record<string, object>> = {};
  for (const operation of operations)
    (items[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(operation, publicUrl);
  return items;
};

const operationObject = (operation: OperationRecord, publicUrl: string): object => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  parameters: [...parameterRefs(operation), ...queryParameters(operation)],
  ...(operation.body && { requestBody: requestBody(operation) }),
  responses: responses(operation, publicUrl),
  ...(operation.id === 'callbackOrder' && { callbacks: orderCallbacks() }),
  security: security(operation.access.documented),
});

const isRead = ({ method, readsOnly }: OperationRecord): boolean => method === 'GET' || method === 'QUERY' || readsOnly === true;

const parameterRefs = (operation: OperationRecord): readonly object[] =>
  [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    'tenant',
    operation.idempotent && 'idempotencyKey',
    operation.conditional && 'ifMatch',
    isRead(operation) && 'ifNoneMatch',
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

const requestBody = ({ body, bodyExample }: OperationRecord): object => ({
  required: true,
  content: { 'application/json': { schema: { $ref: `${SCHEMA_PREFIX}${body?.dto.name}` }, examples: { typical: { value: bodyExample } } } },
});

const responses = (operation: OperationRecord, publicUrl: string): object => {
  const { success, path, idempotent } = operation;
  const names = [
    ...COMMON_HEADERS,
    ...(success.schema !== undefined && !success.withoutEtag ? (['ETag'] as const) : []),
    ...(success.status === 201 || success.status === 202 ? (['Location'] as const) : []),
    ...(success.headers ?? []),
    ...(idempotent && success.status !== 202 ? (['Idempotent-Replayed'] as const) : []),
    ...(isRead(operation) || success.status === 202 ? [] : (['Consistency-Token'] as const)),
    ...(QUERY_PATHS.has(path) && isRead(operation) ? (['Accept-Query'] as const) : []),
  ];
  const successResponse = {
    description: success.description,
    headers: headerRefs(...names),
    ...(success.schema !== undefined && {
      content: {
        'application/json': {
          schema: { $ref: `${SCHEMA_PREFIX}${success.schema.name}` },
          examples: { typical: { value: success.example } },
        },
      },
    }),
  };
  const notModified = isRead(operation) ? { 304: { description: 'Not modified: the client has this representation' } } : {};
  return { [success.status]: successResponse, ...notModified, ...operationProblemResponses(operation, publicUrl) };
};

const security = (requirement: Requirement): readonly object[] => {
  if (requirement === 'nothing') return [];
  if (requirement === 'token') return [{ bearerToken: [] }];
  return [{ bearerAuth: [] }, { oauth2: typeof requirement === 'string' ? [] : [requirement.scope] }];
};
