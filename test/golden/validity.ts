import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';

const FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
  uri: (value: string) => URL.canParse(value),
};

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, formats: FORMATS });

/** Returns the validation errors of a value under a schema. */
export const validationErrors = (schema: JsonSchema, value: unknown): readonly string[] => {
  const validate = ajv.compile(schema);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
};

/**
 * Returns a schema that forbids additional properties, because the service must not publish undeclared properties.
 * The published schemas allow additional properties, because consumers must ignore unknown properties.
 */
export const forbidAdditional = (schema: JsonSchema): JsonSchema => {
  const { properties, items, oneOf } = schema;
  return {
    ...schema,
    ...(Array.isArray(oneOf) && { oneOf: (oneOf as readonly JsonSchema[]).map(forbidAdditional) }),
    ...(items !== undefined && { items: forbidAdditional(items as JsonSchema) }),
    ...(properties !== undefined && {
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => [name, forbidAdditional(part)]),
      ),
    }),
  };
};

/** Returns a schema in which every property is required, to check that a sample is complete. */
export const requireAll = (schema: JsonSchema): JsonSchema => {
  const { properties, items } = schema;
  if (items !== undefined) return { ...schema, items: requireAll(items as JsonSchema) };
  if (properties === undefined) return schema;
  const parts = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => [name, requireAll(part)] as const);
  return { ...schema, properties: Object.fromEntries(parts), required: parts.map(([name]) => name) };
};
