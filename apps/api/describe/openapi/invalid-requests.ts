import { INT32_MAX } from '../../http/collection.dto.js';
import type { OperationRecord } from '../../http/operation.js';
import type { FieldError } from '../../http/problems/error-codes.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from '../../http/validation/schemas.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Removes the first required property from the example body of an operation, and makes another value invalid. Returns the
 * errors that the service would send for this body. Returns null if the operation has no body, or if there is no error.
 */
export const invalidBodyErrors = ({ body, bodyExample }: OperationRecord): readonly FieldError[] | null => {
  if (!body) return null;
  const schema = schemaNamed(body.dto.name);
  const [missing] = schema.required ?? [];
  // If no property is required, nothing is removed, because no example has a property named ''.
  const { [missing ?? '']: _, ...members } = structuredClone(bodyExample as Members);
  const result = body.compile()({ ...members, ...invalidMember(schema, missing) });
  return 'errors' in result ? result.errors : null;
};

/** Returns the errors that the service would send for a query with an invalid value. Null for an operation without a query. */
export const invalidQueryErrors = ({ query }: OperationRecord): readonly FieldError[] | null => {
  if (!query) return null;
  const [[name, value] = ['', '']] = Object.entries(invalidMember(schemaNamed(query.dto.name)));
  const result = query.compile()({ [name]: String(value) }, `?${name}=${String(value)}`);
  return 'errors' in result ? result.errors : null;
};

/**
 * Returns the errors that the service would send for a query with a value of the wrong type. Null if no parameter is an
 * integer or a boolean: values in a query are texts, so a text or a list of texts always has the right type.
 */
export const wrongTypeQueryErrors = ({ query }: OperationRecord): readonly FieldError[] | null => {
  const properties = Object.entries((query && schemaNamed(query.dto.name).properties) ?? {});
  const [name] = properties.find(([, { type }]) => type === 'integer' || type === 'boolean') ?? [];
  if (!query || name === undefined) return null;
  const result = query.compile()({ [name]: 'many' }, `?${name}=many`);
  return 'errors' in result ? result.errors : null;
};

const schemaNamed = (name: string): JsonSchema => dtoSchemas()[name] ?? {};

/**
 * Returns an object with one property, which has an invalid value. Takes the first property, other than `skippedName`, for
 * which `invalidValue` finds a value. Returns an empty object if there is no such property.
 */
const invalidMember = ({ properties = {} }: JsonSchema, skippedName?: string): Members => {
  for (const [name, schema] of Object.entries(properties)) {
    const value = name === skippedName ? undefined : invalidValue(schema);
    if (value !== undefined) return { [name]: value };
  }
  return {};
};

/**
 * Returns a value that breaks a rule of the schema. Finds a value for references, enums, times, and integers with a maximum
 * below INT32_MAX, the common limit of integers (contract 3.5). Returns undefined for all other schemas.
 */
const invalidValue = ({ $ref, enum: values, type, format, maximum, items }: JsonSchema): unknown => {
  if ($ref !== undefined) return invalidMember(schemaNamed($ref.slice(SCHEMA_PREFIX.length)));
  if (items?.['enum'] !== undefined) return ['unknown'];
  if (values !== undefined) return 'unknown';
  if (type === 'integer' && typeof maximum === 'number' && maximum < INT32_MAX) return maximum + 1;
  return format === 'date-time' ? 'yesterday' : undefined;
};
