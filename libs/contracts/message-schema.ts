/** A JSON Schema (2020-12), plain JSON. */
export type JsonSchema = { readonly [keyword: string]: unknown };

declare const says: unique symbol;

/** A JSON Schema of values of this type: what is told is checked against it by the compiler, and by readers at run time. */
export type Schema<T> = JsonSchema & { readonly [says]?: T };

type Said<S> = S extends Schema<infer T> ? T : never;
type Fields = Readonly<Record<string, Schema<unknown>>>;
/** An optional one may be handed over as undefined, which JSON leaves out. */
type Saying<Always extends Fields, Sometimes extends Fields> = { readonly [K in keyof Always]: Said<Always[K]> } & {
  readonly [K in keyof Sometimes]?: Said<Sometimes[K]> | undefined;
};

/** Text; the first example is the one shown. */
export const text = (description: string, ...examples: readonly [string, ...string[]]): Schema<string> => ({
  type: 'string',
  description,
  examples,
});

/** Text that keeps to a pattern. */
export const patterned = (pattern: string, description: string, example: string): Schema<string> => ({
  type: 'string',
  pattern,
  description,
  examples: [example],
});

/** The id of something: a UUID. */
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

/** An address of the web. */
export const uri = (description: string, example: string): Schema<string> => ({
  type: 'string',
  format: 'uri',
  description,
  examples: [example],
});

/** "Money is a decimal string with currency, never a float." */
export const money = (description: string, example: string): Schema<string> => patterned(String.raw`^\d+\.\d{2}$`, description, example);

/** A currency by its ISO 4217 code. */
export const currency = (description: string, example: string): Schema<string> => patterned('^[A-Z]{3}$', description, example);

/** A whole number of at least so much. */
export const wholeNumber = (description: string, minimum: number, example: number): Schema<number> => ({
  type: 'integer',
  minimum,
  description,
  examples: [example],
});

/** Yes or no. */
export const flag = (description: string, example = true): Schema<boolean> => ({ type: 'boolean', description, examples: [example] });

/** Always this one value. */
export const always = <const T extends string | boolean>(value: T, description: string): Schema<T> => ({
  type: typeof value,
  const: value,
  description,
});

/** One of these words, `example` for one. */
export const oneOf = <const T extends string>(description: string, words: readonly T[], example: NoInfer<T>): Schema<T> => ({
  type: 'string',
  enum: words,
  description,
  examples: [example],
});

/** A list of such values. */
export const list = <T>(description: string, items: Schema<T>): Schema<readonly T[]> => ({ type: 'array', items, description });

/**
 * An object with what it always says, and what it says sometimes. It is open: "what is told may be added to", so that a reader
 * must pass over what it does not know.
 */
export const object = <Always extends Fields, Sometimes extends Fields = Record<never, never>>(
  required: Always,
  optional?: Sometimes,
  description?: string,
): Schema<Saying<Always, Sometimes>> => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

/** One of these forms, the first for one. */
export const either = <Forms extends readonly [Schema<unknown>, ...Schema<unknown>[]]>(
  description: string,
  ...forms: Forms
): Schema<Said<Forms[number]>> => ({ oneOf: forms, description });

/** The schema of data that says nothing. */
export const NOTHING: Schema<Readonly<Record<string, never>>> = { type: 'object', properties: {} };

/** A value that the schema allows, with all there can be said: made of the examples of its parts. */
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

/** The same schema with an example that differs in some of its parts; one that is undefined is left out. */
export const shownAs = <T extends object>(schema: Schema<T>, differing: Partial<NoInfer<T>>): Schema<T> => ({
  ...schema,
  examples: [{ ...(exampleOf(schema) as T), ...differing }],
});
