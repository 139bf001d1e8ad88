import type { JsonSchema } from '../../libs/contracts/message-schema.js';

const typeOf = (value: unknown): string => (value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value);

/**
 * Returns a schema with the same meaning in the form of contract 25.3: `type` is present beside listed values, and null is one of
 * the types. Schemas of earlier versions lack the type, or list null as a form of its own in `oneOf` or `anyOf`.
 */
export const withExplicitTypes = (schema: JsonSchema): JsonSchema => withTypeOfValues(withListedNull(schema));

const withListedNull = (schema: JsonSchema): JsonSchema => {
  const { oneOf, anyOf, ...rest } = schema;
  const [form, last, ...others] = (oneOf ?? anyOf ?? []) as readonly JsonSchema[];
  if (!form || last?.['type'] !== 'null' || others.length > 0) return schema;
  const { const: constant, enum: listed = constant === undefined ? undefined : [constant], ...rules } = withTypeOfValues(form);
  return {
    ...rules,
    ...rest,
    type: [rules['type'], 'null'],
    ...(Array.isArray(listed) && { enum: [...(listed as readonly unknown[]), null] }),
  };
};

const withTypeOfValues = (schema: JsonSchema): JsonSchema => {
  const { type, const: constant, enum: listed = constant === undefined ? undefined : [constant] } = schema;
  if (type !== undefined || !Array.isArray(listed)) return schema;
  const types = [...new Set((listed as readonly unknown[]).map(typeOf))];
  return { ...schema, type: types.length === 1 ? types[0] : types };
};
