import { OPS, SCOPES, type Requirement } from '../../http/admission/access.js';
import { TAGS, type OperationRecord } from '../../http/operation.js';
import { PROBLEMS } from '../../http/problems/problem-kinds.js';
import { dtoSchemas, type JsonSchema } from '../../http/validation/schemas.js';
import { operationProblems } from '../../describe/operation-problems.js';
import { classicSchemas, openapi30, schemaRef } from './classic-schemas.js';

const PREFIX = '/api/v3';

const DESCRIPTION = `The older variant of the interface, for existing clients. It is deprecated. New clients use the interface that /openapi.json describes.

It works on the same pets, orders and users as the interface under /v1. Ids are integers. Errors have a code, a type and a message.`;

/** The tag in this document for each tag of an operation. */
const CLASSIC_TAGS = { Pets: 'pet', Orders: 'store', Inventory: 'store', Users: 'user' } as const;

/**
 * Creates the OpenAPI 3.0.4 document of the classic variant (contract 39.9). `outsideIssuer` is null if the service itself
 * signs users in. With an outside issuer, the document has no OAuth 2.0 scheme (contract 33.1).
 */
export const classicDocument = (operations: readonly OperationRecord[], publicUrl: string, outsideIssuer: string | null): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations)
    (paths[operation.path.slice(PREFIX.length)] ??= {})[operation.method.toLowerCase()] = operationObject(operation, outsideIssuer);
  return {
    openapi: '3.0.4',
    info: { title: 'Pet Store (classic)', version: '1.0.0', description: DESCRIPTION, license: { name: 'MIT' } },
    servers: [{ url: publicUrl + PREFIX }],
    tags: [
      { name: 'pet', description: TAGS.Pets },
      { name: 'store', description: TAGS.Orders },
      { name: 'user', description: TAGS.Users },
    ],
    paths,
    components: {
      schemas: classicSchemas(operations),
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token' },
        ...(outsideIssuer === null && { petstore_auth: oauth2Scheme(publicUrl) }),
      },
    },
  };
};

const oauth2Scheme = (publicUrl: string): object => ({
  type: 'oauth2',
  flows: {
    authorizationCode: {
      authorizationUrl: `${publicUrl}/oauth/authorize`,
      tokenUrl: `${publicUrl}/oauth/token`,
      refreshUrl: `${publicUrl}/oauth/refresh`,
      scopes: { 'write:pets': SCOPES['write:pets'], 'read:pets': SCOPES['read:pets'], [OPS]: 'operate the service' },
    },
  },
});

/** The operationId in the document: `addPet` for `classicAddPet`. */
export const classicOperationId = ({ id }: OperationRecord): string => {
  const name = id.replace(/^classic/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
};

/** The tag of an operation in the document. */
export const classicTag = ({ tag }: OperationRecord): string => CLASSIC_TAGS[tag as keyof typeof CLASSIC_TAGS];

const operationObject = (operation: OperationRecord, outsideIssuer: string | null): object => ({
  operationId: classicOperationId(operation),
  tags: [classicTag(operation)],
  summary: operation.summary,
  description: operation.description,
  deprecated: true,
  parameters: [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(operation)],
  ...((operation.body ?? operation.upload) && { requestBody: { required: true, content: bodyContent(operation) } }),
  responses: responses(operation),
  security: security(operation.access.documented, outsideIssuer),
});

const pathParameters = ({ path, idForm }: OperationRecord): readonly object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: idForm === 'number' ? 'The id' : 'The username',
    schema: idForm === 'number' ? { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } : { type: 'string' },
  }));

/** A parameter that the form of an upload has, too, is described there only: generators make one argument of both. */
const queryParameters = ({ query, upload }: OperationRecord): readonly object[] => {
  const { properties = {}, required = [] } = (query && dtoSchemas()[query.dto.name]) ?? {};
  const parameters = Object.entries(properties).filter(([name]) => upload?.schema.properties?.[name] === undefined);
  return parameters.map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema: openapi30(schema),
    ...(schema.type === 'array' && { style: 'form', explode: false }),
  }));
};

const headerParameters = ({ idempotent }: OperationRecord): readonly object[] => [
  { name: 'X-Tenant-ID', in: 'header', description: 'The tenant', schema: { type: 'string', format: 'uuid' } },
  ...(idempotent
    ? [{ name: 'Idempotency-Key', in: 'header', description: 'A unique text', schema: { type: 'string', pattern: '^[!-~]{1,255}$' } }]
    : []),
];

const bodyContent = ({ body, bodyExample, form, upload }: OperationRecord): object => {
  if (upload) return { 'multipart/form-data': { schema: schemaRef(upload.name) } };
  const ref = schemaRef(body?.dto.name ?? '');
  // Only the shape of a list has `longest`, the maximum number of its items.
  const longest = body && 'longest' in body ? Number(body.longest) : undefined;
  const schema = longest === undefined ? ref : { type: 'array', items: ref, minItems: 1, maxItems: longest };
  const content = { schema, example: bodyExample };
  // Generators use the first media type, or make one function for each in this order.
  return { 'application/json': content, ...(form && { 'application/x-www-form-urlencoded': content }) };
};

const responses = (operation: OperationRecord): object => {
  const { success } = operation;
  const kinds = Map.groupBy(operationProblems(operation), (kind) => PROBLEMS[kind].status);
  const errors = [...kinds].map(([status, all]): readonly [number, string] => [
    status,
    all.map((kind) => PROBLEMS[kind].title).join(', or '),
  ]);
  return {
    [success.status]: {
      description: success.description,
      headers: DEPRECATION_HEADERS,
      ...(success.schema && { content: { 'application/json': { schema: successSchema(operation), example: success.example } } }),
    },
    ...Object.fromEntries(
      [...errors, [406, 'The client accepts no JSON'] as const].map(([status, description]) => [
        status,
        {
          description,
          headers: DEPRECATION_HEADERS,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
        },
      ]),
    ),
  };
};

const successSchema = ({ success: { schema, list } }: OperationRecord): JsonSchema => {
  if (!schema) return {};
  const one = 'schema' in schema ? schema.schema : schemaRef(schema.name);
  return list ? { type: 'array', items: one } : one;
};

const DEPRECATION_HEADERS = {
  Deprecation: { description: 'The time since which the classic variant is deprecated (RFC 9745)', schema: { type: 'string' } },
  Sunset: { description: 'The time from which the classic variant may stop responding (RFC 8594)', schema: { type: 'string' } },
};

const security = (requirement: Requirement, outsideIssuer: string | null): readonly object[] => {
  if (requirement === 'nothing') return [];
  const scopes = typeof requirement === 'string' ? [] : [requirement.scope];
  return [{ bearerAuth: [] }, ...(outsideIssuer === null ? [{ petstore_auth: scopes }] : [])];
};
