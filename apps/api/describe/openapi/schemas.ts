import type { OperationRecord } from '../../http/operation.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from '../../http/validation/schemas.js';
import { PROBLEM_SCHEMAS } from './problem-schemas.js';

/** Formats of this service only. Other programs do not know them, and a pattern states the rule. */
const OWN_FORMATS: ReadonlySet<unknown> = new Set(['card-number', 'unicode']);

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

/** The named schemas: of the bodies of requests and responses, and all schemas that they refer to. */
export const schemas = (operations: readonly OperationRecord[]): Readonly<Record<string, object>> => {
  const known = dtoSchemas();
  const shown: Record<string, object> = {};
  const show = (name: string, schema: JsonSchema | undefined): void => {
    if (shown[name]) return;
    if (schema?.['description'] === undefined) throw new Error(`${name} has no description: declare it with @Documented`);
    shown[name] = published(schema);
    for (const [, referred = ''] of JSON.stringify(schema).matchAll(REFERENCE)) show(referred, known[referred]);
  };
  for (const { body, success } of operations)
    for (const named of [body?.dto, success.schema]) if (named) show(named.name, 'schema' in named ? named.schema : known[named.name]);
  return { ...shown, ...CLASSIC_SCHEMAS, ...PROBLEM_SCHEMAS };
};

/**
 * A schema as other programs read it: without our own formats, and without a `type` beside a `$ref`. Some generators
 * ignore a reference with a type beside it, and so lose the property.
 */
export const published = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'format' && OWN_FORMATS.has(value)) && !(key === 'type' && schema.$ref !== undefined))
      .map(([key, value]) => [key, publishedValue(value)]),
  );

const publishedValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(publishedValue);
  return typeof value === 'object' && value !== null ? published(value as JsonSchema) : value;
};
