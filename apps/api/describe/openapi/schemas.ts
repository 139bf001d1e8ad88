import type { OperationRecord } from '../../http/operation.js';
import { documentedPattern } from '../../http/patterns.js';
import type { Dto } from '../../http/validation/metadata.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema, type NamedSchema } from '../../http/validation/schemas.js';
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
  const sent = operations.flatMap(({ success }) => [success.schema, success.events]);
  const received = operations.flatMap(({ body, upload }) => [body?.dto, upload]);
  const collected = { ...collectSchemas(received, false), ...collectSchemas([...sent, OPENAI_ERROR], true) };
  for (const [name, schema] of Object.entries(collected))
    if (schema['description'] === undefined) throw new Error(`${name} has no description: declare it with @Documented`);
  return { ...collected, ...CLASSIC_SCHEMAS, ...PROBLEM_SCHEMAS };
};

/**
 * Returns schemas by name, and all schemas to which they refer. Schemas of requests reject unknown properties, as the service
 * does. Those of responses are open, because responses may gain properties (contract 28.2), and so are the kinds of a source.
 */
export const collectSchemas = (
  roots: readonly (Dto | NamedSchema | undefined)[],
  isOpen: boolean,
): Readonly<Record<string, JsonSchema>> => {
  const schemasByName = dtoSchemas();
  const collected: Record<string, JsonSchema> = {};
  const collect = (name: string, schema: JsonSchema | undefined, open: boolean): void => {
    if (!schema || collected[name]) return;
    const isBase = schema['discriminator'] !== undefined;
    const documented = withoutDefaults(withoutPrivateRules(schema));
    collected[name] = open || isBase ? opened(documented) : documented;
    for (const [, referred = ''] of JSON.stringify(schema).matchAll(REFERENCE)) collect(referred, schemasByName[referred], open || isBase);
  };
  for (const root of roots) if (root) collect(root.name, 'schema' in root ? root.schema : schemasByName[root.name], isOpen);
  return collected;
};

/**
 * Returns the schema of a body in which the description of a property has its default. Some generators make every property with
 * the keyword `default` required. The extension keeps the value for programs.
 */
const withoutDefaults = ({ properties, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(properties && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, { default: value, description, ...rules }]) => [
        name,
        {
          ...rules,
          ...(description !== undefined && { description }),
          ...(value !== undefined && {
            description: `${String(description)}. The default is ${JSON.stringify(value)}`,
            'x-default': value,
          }),
        },
      ]),
    ),
  }),
});

/** Returns a schema that allows unknown properties, at every depth. */
const opened = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'additionalProperties' && value === false ? undefined : value)),
  ) as JsonSchema;

/**
 * Removes private formats from a schema, and rewrites patterns. Also removes each `type` beside a `$ref`, because some code
 * generators omit properties that have both. The keywords in `documented` replace those that the service validates.
 */
export const withoutPrivateRules = ({ documented, ...schema }: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries({ ...schema, ...(documented as JsonSchema | undefined) })
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
