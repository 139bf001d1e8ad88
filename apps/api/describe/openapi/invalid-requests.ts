import { INT32_MAX } from '../../http/collection.dto.js';
import type { OperationRecord } from '../../http/operation.js';
import type { FieldError } from '../../http/problems/error-codes.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from '../../http/validation/schemas.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the service's errors for a body that lacks its first required property and has one invalid value, or
 * null for an operation without a body.
 */
export const invalidBodyErrors = ({ body, bodyExample }: OperationRecord): readonly FieldError[] | null => {
  if (!body) return null;
  const schema = schemaNamed(body.dto.name);
  const [missing] = schema.required ?? [];
  const { [missing ?? '']: _, ...members } = structuredClone(bodyExample as Members);
  const result = body.compile()({ ...members, ...invalidMember(schema, missing) });
  return 'errors' in result ? result.errors : null;
};

/** Returns the service's errors for a query with an invalid value, or null for an operation without a query. */
export const invalidQueryErrors = ({ query }: OperationRecord): readonly FieldError[] | null => {
  if (!query) return null;
  const [[name, value] = ['', '']] = Object.entries(invalidMember(schemaNamed(query.dto.name)));
  const result = query.compile()({ [name]: String(value) });
  return 'errors' in result ? result.errors : null;
};

/** Returns the service's errors for a query with a value of the wrong type, or null if all values are texts. */
export const wrongTypeQueryErrors = ({ query }: OperationRecord): readonly FieldError[] | null => {
  const properties = Object.entries((query && schemaNamed(query.dto.name).properties) ?? {});
  const [name] = properties.find(([, { type }]) => type === 'integer' || type === 'boolean') ?? [];
  if (!query || name === undefined) return null;
  const result = query.compile()({ [name]: 'many' });
  return 'errors' in result ? result.errors : null;
};

const schemaNamed = (name: string): JsonSchema => dtoSchemas()[name] ?? {};

/**
 * Returns an object with one property and an invalid value for it: the first property that `invalidValue` can
 * make invalid, other than `skippedName`. The object is empty if there is none.
 */
const invalidMember = ({ properties = {} }: JsonSchema, skippedName?: string): Members => {
  for (const [name, schema] of Object.entries(properties)) {
    const value = name === skippedName ? undefined : invalidValue(schema);
    if (value !== undefined) return { [name]: value };
  }
  return {};
};

const invalidValue = ({ $ref, enum: values, type, format, maximum, items }: JsonSchema): unknown => {
  if ($ref !== undefined) return invalidMember(schemaNamed($ref.slice(SCHEMA_PREFIX.length)));
  if (items?.['enum'] !== undefined) return ['unknown'];
  if (values !== undefined) return 'unknown';
  if (type === 'integer' && typeof maximum === 'number' && maximum < INT32_MAX) return maximum + 1;
  return format === 'date-time' ? 'yesterday' : undefined;
};
