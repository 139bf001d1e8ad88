/** A JSON Schema (2020-12), plain JSON. */
export type JsonSchema = { readonly [keyword: string]: unknown };

declare const valueType: unique symbol;

/**
 * A JSON Schema of values of the type T. The compiler checks published values against T. Consumers can validate received
 * values against the schema at run time.
 */
export type Schema<T> = JsonSchema & { readonly [valueType]?: T };

type ValueOf<S> = S extends Schema<infer T> ? T : never;
type Fields = Readonly<Record<string, Schema<unknown>>>;
/** An optional member may be undefined, which JSON omits. */
type ObjectValue<Required extends Fields, Optional extends Fields> = { readonly [K in keyof Required]: ValueOf<Required[K]> } & {
  readonly [K in keyof Optional]?: ValueOf<Optional[K]> | undefined;
};

/** Text. Generated examples use the first of `examples`. */
export const text = (description: string, ...examples: readonly [string, ...string[]]): Schema<string> => ({
  type: 'string',
  description,
  examples,
});

/** Text that matches a pattern. */
export const patterned = (pattern: string, description: string, example: string): Schema<string> => ({
  type: 'string',
  pattern,
  description,
  examples: [example],
});

/** An id: a UUID. */
export const id = (description: string, example: string): Schema<string> => ({
  type: 'string',
  format: 'uuid',
  description,
  examples: [example],
});

/** An instant: ISO 8601, UTC. */
export const instant = (description: string, example: string): Schema<string> => ({
  type: 'string',
  format: 'date-time',
  description,
  examples: [example],
});

/** A calendar date: YYYY-MM-DD. */
export const date = (description: string, example: string): Schema<string> => ({
  type: 'string',
  format: 'date',
  description,
  examples: [example],
});

/** A URI. */
export const uri = (description: string, example: string): Schema<string> => ({
  type: 'string',
  format: 'uri',
  description,
  examples: [example],
});

/** An amount of money: decimal text, never a number (contract 3.6). */
export const money = (description: string, example: string): Schema<string> => patterned(String.raw`^\d+\.\d{2}$`, description, example);

/** A currency by its ISO 4217 code. */
export const currency = (description: string, example: string): Schema<string> => patterned('^[A-Z]{3}$', description, example);

/** An integer with a minimum. */
export const wholeNumber = (description: string, minimum: number, example: number): Schema<number> => ({
  type: 'integer',
  minimum,
  description,
  examples: [example],
});

/** A boolean. */
export const flag = (description: string, example = true): Schema<boolean> => ({ type: 'boolean', description, examples: [example] });

/** A constant value. */
export const constantValue = <const T extends string | boolean>(value: T, description: string): Schema<T> => ({
  type: typeof value,
  const: value,
  description,
});

/** One of several values. */
export const oneOf = <const T extends string>(description: string, values: readonly T[], example: NoInfer<T>): Schema<T> => ({
  type: 'string',
  enum: values,
  description,
  examples: [example],
});

/** An array. */
export const list = <T>(description: string, items: Schema<T>): Schema<readonly T[]> => ({ type: 'array', items, description });

/**
 * An object with required and optional properties. It allows additional properties, because properties may be added later.
 * Consumers must ignore properties that they do not know (contract 28.7).
 */
export const object = <Required extends Fields, Optional extends Fields = Record<never, never>>(
  required: Required,
  optional?: Optional,
  description?: string,
): Schema<ObjectValue<Required, Optional>> => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

/** A value of one of several forms. Generated examples use the first form. */
export const either = <Forms extends readonly [Schema<unknown>, ...Schema<unknown>[]]>(
  description: string,
  ...forms: Forms
): Schema<ValueOf<Forms[number]>> => ({ oneOf: forms, description });

/** A value that may be null. Null is one of the types, because generators of clients read no other form (contract 25.3). */
export const orNull = <T>({ type, ...schema }: Schema<T>): Schema<T | null> => ({ ...schema, type: [type, 'null'] });

/** The schema of empty data. */
export const NO_DATA: Schema<Readonly<Record<string, never>>> = { type: 'object', properties: {} };

/** Builds a valid value with all properties from the examples in a schema. */
export const exampleOf = (schema: JsonSchema): unknown => {
  const { const: constant, examples, type, items, oneOf: forms, properties } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(examples)) return (examples as readonly unknown[])[0];
  if (Array.isArray(forms)) return exampleOf((forms as readonly JsonSchema[])[0] ?? {});
  if (type === 'array') return [exampleOf(items as JsonSchema)];
  return Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => [name, exampleOf(part)]),
  );
};

/** Replaces some properties in a schema's example. An undefined property is omitted. */
export const withExample = <T extends object>(schema: Schema<T>, changes: Partial<NoInfer<T>>): Schema<T> => ({
  ...schema,
  examples: [{ ...(exampleOf(schema) as T), ...changes }],
});
