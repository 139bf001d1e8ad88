import type { OperationRecord } from '../../http/operation.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from '../../http/validation/schemas.js';
import { PROBLEM_SCHEMAS } from './problem-schemas.js';

/** Formats that only this service knows. The document omits them. */
const PRIVATE_FORMATS: ReadonlySet<unknown> = new Set(['card-number', 'unicode']);

const REFERENCE = new RegExp(`"\\$ref":"${SCHEMA_PREFIX}(\\w+)"`, 'g');

const idAndName = (title: string, description: string): JsonSchema => ({
  title,
  type: 'object',
  description,
  properties: { id: { type: 'integer', description: 'Id' }, name: { type: 'string', description: 'Name' } },
});

/** Named schemas of the classic variant, which does not exist yet (contract 29.9). No operation uses them. */
const CLASSIC_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Category: idAndName('Category', 'The category of a pet in the classic variant, which does not exist yet'),
  Tag: idAndName('Tag', 'A tag of a pet in the classic variant, which does not exist yet'),
};

/** Returns the schemas of all request and response bodies by name, with every schema to which they refer. */
export const schemas = (operations: readonly OperationRecord[]): Readonly<Record<string, object>> => {
  const schemasByName = dtoSchemas();
  const collected: Record<string, object> = {};
  const collect = (name: string, schema: JsonSchema | undefined): void => {
    if (collected[name]) return;
    if (schema?.['description'] === undefined) throw new Error(`${name} has no description: declare it with @Documented`);
    collected[name] = withoutPrivateRules(schema);
    for (const [, referred = ''] of JSON.stringify(schema).matchAll(REFERENCE)) collect(referred, schemasByName[referred]);
  };
  for (const { body, success } of operations)
    for (const named of [body?.dto, success.schema])
      if (named) collect(named.name, 'schema' in named ? named.schema : schemasByName[named.name]);
  return { ...collected, ...CLASSIC_SCHEMAS, ...PROBLEM_SCHEMAS };
};

/**
 * Removes private formats from a schema. Also removes each `type` beside a `$ref`: because of it, some code
 * generators ignore the reference and lose the property.
 */
export const withoutPrivateRules = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'format' && PRIVATE_FORMATS.has(value)) && !(key === 'type' && schema.$ref !== undefined))
      .map(([key, value]) => [key, withoutPrivateRulesIn(value)]),
  );

const withoutPrivateRulesIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrivateRulesIn);
  return typeof value === 'object' && value !== null ? withoutPrivateRules(value as JsonSchema) : value;
};
