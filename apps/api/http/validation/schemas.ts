import { getMetadataStorage } from 'class-validator';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import { CURRENCIES } from '../../../../libs/domain/currencies.js';
import { LONGEST_URI } from './formats.js';
import { typeStorage } from './metadata.js';
import {
  CALENDAR_DATE,
  CARD_NUMBER,
  CHARACTERS,
  CURRENCY_CODE,
  HTTP_URI,
  DATE_TIME,
  FREE_TEXT,
  SHORT_MAILBOX,
  UNMIXED,
  VISIBLE,
  WELL_FORMED,
} from './rules.js';

/** A JSON Schema, with types for the keywords that the service reads. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
};

/** A schema that no DTO class declares. */
export type NamedSchema = { readonly name: string; readonly schema: JsonSchema };

/** The prefix of references between schemas. */
export const SCHEMA_PREFIX = '#/components/schemas/';

/** Returns a reference to a schema of the document. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: SCHEMA_PREFIX + name });

/**
 * Returns keywords for the schema of a value of several kinds. One of its properties tells the kind. `kinds` has the name of the
 * schema for each value of that property. Generators of clients need both keywords (contract 25.3): some read only one of them.
 */
export const kindsBy = (propertyName: string, kinds: Readonly<Record<string, string>>): JsonSchema => ({
  oneOf: [...new Set(Object.values(kinds))].map(schemaRef),
  discriminator: {
    propertyName,
    mapping: Object.fromEntries(Object.entries(kinds).map(([value, name]) => [value, SCHEMA_PREFIX + name])),
  },
});

type Rule = { readonly constraints?: readonly unknown[] };

/** The JSON Schema of rules that class-validator-jsonschema does not know. */
const CONVERTERS = {
  [CHARACTERS]: ({ constraints: [min, max] = [] }: Rule) => ({ type: 'string', ...(min !== 0 && { minLength: min }), maxLength: max }),
  matches: ({ constraints: [pattern] = [] }: Rule) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  [WELL_FORMED]: { type: 'string', format: 'unicode' },
  [FREE_TEXT]: { type: 'string', format: 'free-text' },
  [VISIBLE]: { type: 'string', format: 'visible' },
  [UNMIXED]: { type: 'string', format: 'unmixed' },
  [SHORT_MAILBOX]: { type: 'string', format: 'mailbox' },
  [CALENDAR_DATE]: { type: 'string', format: 'date' },
  [DATE_TIME]: { type: 'string', format: 'date-time' },
  [HTTP_URI]: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: LONGEST_URI },
  [CURRENCY_CODE]: { type: 'string', enum: CURRENCIES },
  [CARD_NUMBER]: { type: 'string', format: 'card-number', pattern: '^[0-9]{12,19}$' },
};

/** The last result of `dtoSchemas`. `size` was the number of loaded DTO classes. The result is outdated if the number changes. */
let cached: { readonly size: number; readonly schemas: Readonly<Record<string, JsonSchema>> } | null = null;

/**
 * Returns the schemas of all loaded DTO classes, by class name.
 * The schemas reject unknown properties (contract 3.10).
 */
export const dtoSchemas = (): Readonly<Record<string, JsonSchema>> => {
  const storage = getMetadataStorage() as unknown as { validationMetadatas: ReadonlyMap<unknown, unknown> };
  if (cached?.size === storage.validationMetadatas.size) return cached.schemas;
  const generated = validationMetadatasToSchemas({
    classTransformerMetadataStorage: typeStorage as never,
    refPointerPrefix: SCHEMA_PREFIX,
    additionalConverters: CONVERTERS as never,
  }) as unknown as Readonly<Record<string, JsonSchema>>;
  const schemas = Object.fromEntries(
    Object.entries(generated).map(([name, schema]) => [name, { ...schema, additionalProperties: schema.additionalProperties ?? false }]),
  );
  cached = { size: storage.validationMetadatas.size, schemas };
  return schemas;
};
