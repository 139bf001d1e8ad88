import type { OperationRecord } from '../../http/operation.js';
import { dtoSchemas, SCHEMA_PREFIX, type JsonSchema } from '../../http/validation/schemas.js';
import { PROBLEM_SCHEMAS } from './responses.js';

/** Formats that only this service knows are no use to others: their patterns say enough. */
const OWN_FORMATS: ReadonlySet<unknown> = new Set(['card-number', 'unicode']);

const REFERENCE = new RegExp(`"\\$ref":"${SCHEMA_PREFIX}(\\w+)"`, 'g');

/** The named schemas: of what operations read and answer, and of what those refer to. */
export const schemas = (operations: readonly OperationRecord[]): Readonly<Record<string, object>> => {
  const known = dtoSchemas();
  const shown: Record<string, object> = {};
  const show = (name: string, schema: JsonSchema | undefined): void => {
    if (shown[name]) return;
    if (schema?.['description'] === undefined) throw new Error(`${name} is shown, but @Documented does not say what it is`);
    shown[name] = published(schema);
    for (const [, referred = ''] of JSON.stringify(schema).matchAll(REFERENCE)) show(referred, known[referred]);
  };
  for (const { body, success } of operations)
    for (const named of [body?.dto, success.schema]) if (named) show(named.name, 'schema' in named ? named.schema : known[named.name]);
  return { ...shown, ...PROBLEM_SCHEMAS };
};

/** A schema without formats of our own. */
export const published = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (key === 'format' && OWN_FORMATS.has(value) ? [] : [[key, publishedValue(value)]])),
  );

const publishedValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? published(value as JsonSchema) : value;
