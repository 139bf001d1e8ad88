import type { OperationRecord } from '../../http/operation.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from '../../http/validation/schemas.js';
import { collectSchemas, withoutPrivateRules } from '../../describe/openapi/schemas.js';

const REFERENCE = new RegExp(`^${SCHEMA_PREFIX}`);

/** The error of every operation of the classic variant (contract 39.5). */
const ERROR: JsonSchema = {
  type: 'object',
  description: 'An error',
  required: ['code', 'type', 'message'],
  properties: {
    code: { type: 'integer', format: 'int32', description: 'The HTTP status', example: 404 },
    type: { type: 'string', description: 'The kind of the error', example: 'not-found' },
    message: { type: 'string', description: 'The cause, with the name of every invalid field', example: 'There is no pet with this id.' },
  },
};

/** Returns the name of a DTO class in this document: its title if it has one, such as `User` for `ClassicUser`. */
const nameOf = (dto: string): string => {
  const title = dtoSchemas()[dto]?.['title'];
  return typeof title === 'string' ? title : dto;
};

/** Returns a reference to the schema of a DTO class. */
export const schemaRef = (dto: string): JsonSchema => ({ $ref: SCHEMA_PREFIX + nameOf(dto) });

/** Returns the schemas of all request and response bodies by name, and all schemas to which these schemas refer. */
export const classicSchemas = (operations: readonly OperationRecord[]): Readonly<Record<string, object>> => {
  const collected: Record<string, object> = {};
  const add = (schemasOfDtos: Readonly<Record<string, JsonSchema>>): void => {
    for (const [dto, { title: _, ...described }] of Object.entries(schemasOfDtos)) collected[nameOf(dto)] = openapi30(described);
  };
  add(
    collectSchemas(
      operations.flatMap(({ body, upload }) => [body?.dto, upload]),
      false,
    ),
  );
  // The schemas of responses replace those of requests: they are open.
  add(
    collectSchemas(
      operations.flatMap(({ success }) => (success.schema && 'schema' in success.schema ? [] : [success.schema])),
      true,
    ),
  );
  return { ...collected, ApiError: ERROR };
};

/** Converts a schema to OpenAPI 3.0. There, an object with `$ref` has no other key, and `example` replaces `examples`. */
export const openapi30 = (schema: JsonSchema): JsonSchema => convert(withoutPrivateRules(schema)) as JsonSchema;

const convert = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const { examples, $ref, ...members } = value as JsonSchema;
  if (typeof $ref === 'string') return schemaRef($ref.replace(REFERENCE, ''));
  const converted = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, convert(member)]));
  return { ...converted, ...(Array.isArray(examples) && { example: (examples as readonly unknown[])[0] }) };
};
