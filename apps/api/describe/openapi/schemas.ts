import type { OperationRecord } from '../../http/operation.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from '../../http/validation/schemas.js';
import { OPENAI_ERROR } from '../../http/problems/openai-error.js';
import { PROBLEM_SCHEMAS } from './problem-schemas.js';

/** Formats that only the validation of this service knows. The document omits them, because no tool knows them. */
const PRIVATE_FORMATS: ReadonlySet<unknown> = new Set(['card-number', 'free-text', 'unicode', 'visible', 'unmixed', 'mailbox']);

const REFERENCE = new RegExp(`"\\$ref":"${SCHEMA_PREFIX}(\\w+)"`, 'g');

const idAndName = (title: string, description: string): JsonSchema => ({
  title,
  type: 'object',
  description,
  properties: { id: { type: 'integer', description: 'Id' }, name: { type: 'string', description: 'Name' } },
});

/**
 * Schemas that contract 25.3 requires in this document, although only operations of the classic variant use them. Those
 * operations have a document of their own (contract 39.9).
 */
const CLASSIC_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Category: idAndName('Category', 'The category of a pet in the classic variant'),
  Tag: idAndName('Tag', 'A tag of a pet in the classic variant'),
};

/** Returns the schemas of all request and response bodies by name, and all schemas to which these schemas refer. */
export const schemas = (operations: readonly OperationRecord[]): Readonly<Record<string, object>> => {
  const schemasByName = dtoSchemas();
  const collected: Record<string, object> = {};
  const collect = (name: string, schema: JsonSchema | undefined): void => {
    if (collected[name]) return;
    if (schema?.['description'] === undefined) throw new Error(`${name} has no description: declare it with @Documented`);
    collected[name] = withoutPrivateRules(schema);
    for (const [, referred = ''] of JSON.stringify(schema).matchAll(REFERENCE)) collect(referred, schemasByName[referred]);
  };
  for (const { body, upload, success } of operations)
    for (const named of [body?.dto, upload, success.schema, success.events])
      if (named) collect(named.name, 'schema' in named ? named.schema : schemasByName[named.name]);
  return { ...collected, ...CLASSIC_SCHEMAS, ...PROBLEM_SCHEMAS, [OPENAI_ERROR.name]: OPENAI_ERROR.schema };
};

/**
 * Returns a pattern that every language of code generators reads alike (contract 25.3). They have no common notation for
 * characters above U+00FF: RE2 does not know `\\u2028`, and some languages refuse a source file with the character itself. The
 * documented pattern leaves these characters out of its classes. It accepts all texts that the service accepts, and some more.
 */
export const documentedPattern = (pattern: string): string => pattern.replaceAll(/\\u[0-9a-f]{4}(?:-\\u[0-9a-f]{4})?/g, '');

/**
 * Removes private formats from a schema, and rewrites patterns. Also removes each `type` beside a `$ref`, because some code
 * generators omit properties that have both.
 */
export const withoutPrivateRules = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'format' && PRIVATE_FORMATS.has(value)) && !(key === 'type' && schema.$ref !== undefined))
      .map(([key, value]) => [
        key,
        key === 'pattern' && typeof value === 'string' ? documentedPattern(value) : withoutPrivateRulesIn(value),
      ]),
  );

const withoutPrivateRulesIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrivateRulesIn);
  return typeof value === 'object' && value !== null ? withoutPrivateRules(value as JsonSchema) : value;
};
