import type { JsonSchema } from '../../libs/contracts/message-schema.js';

/** What a reader meets: each kind of message by its name, with the schema of what it says. */
export type Told = Readonly<Record<string, JsonSchema>>;

/** How what is declared differs from what readers have been promised. */
export type Difference = {
  /** What would break a reader who relies on the promise. */
  readonly breaks: readonly string[];
  /** What is new, and harms nobody who passes over what he does not know. */
  readonly additions: readonly string[];
};

const NONE: Difference = { breaks: [], additions: [] };
const breaking = (...breaks: readonly string[]): Difference => ({ breaks, additions: [] });
const adding = (...additions: readonly string[]): Difference => ({ breaks: [], additions });
const together = (differences: readonly Difference[]): Difference => ({
  breaks: differences.flatMap(({ breaks }) => breaks),
  additions: differences.flatMap(({ additions }) => additions),
});

/** What the words are for, not what may stand there. */
const WORDING: ReadonlySet<string> = new Set(['$schema', 'title', 'description', 'examples']);
/** More than these say a bound moved inward, which readers do not notice. */
const LOWER_BOUNDS: ReadonlySet<string> = new Set(['minimum', 'minLength', 'minItems', 'minProperties']);
const UPPER_BOUNDS: ReadonlySet<string> = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Looked at one by one. */
const PARTS: ReadonlySet<string> = new Set(['properties', 'required', 'items', 'oneOf', 'const', 'enum']);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const propertiesOf = ({ properties = {} }: JsonSchema): Told => properties as Told;
const requiredOf = ({ required = [] }: JsonSchema): readonly string[] => required as readonly string[];
const variantsOf = ({ oneOf = [] }: JsonSchema): readonly JsonSchema[] => oneOf as readonly JsonSchema[];

/** The values that may stand there where they are listed; null where any may. */
const valuesOf = ({ const: constant, enum: listed }: JsonSchema): readonly unknown[] | null =>
  constant !== undefined ? [constant] : Array.isArray(listed) ? (listed as readonly unknown[]) : null;

/** What a reader must be promised, without the words that explain it. */
export const promised = (schema: JsonSchema): JsonSchema => {
  const { properties, items, oneOf } = schema;
  const rules = Object.entries(schema).filter(([keyword]) => !WORDING.has(keyword));
  return {
    ...Object.fromEntries(rules),
    ...(properties !== undefined && { properties: mapValues(propertiesOf(schema), promised) }),
    ...(items !== undefined && { items: promised(items as JsonSchema) }),
    ...(oneOf !== undefined && { oneOf: variantsOf(schema).map(promised) }),
  };
};

/** The same names, each value made anew. */
export const mapValues = <T, U>(record: Readonly<Record<string, T>>, make: (value: T) => U): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]));

/**
 * Compares what is declared with what was promised, in the reader's eyes: whatever the declared schemas allow must be what a
 * reader of the promise can take, but for more properties and more kinds of messages.
 */
export const compareTold = (before: Told, after: Told): Difference =>
  together([
    ...Object.entries(before).map(([name, schema]) => {
      const now = after[name];
      return now ? compareSchemas(name, schema, now) : breaking(`${name} is no longer told`);
    }),
    ...Object.keys(after).flatMap((name) => (before[name] ? [] : [adding(`${name} is told`)])),
  ]);

const compareSchemas = (place: string, before: JsonSchema, after: JsonSchema): Difference =>
  together([
    compareProperties(place, before, after),
    compareValues(place, before, after),
    compareVariants(place, before, after),
    before['items'] !== undefined && after['items'] !== undefined
      ? compareSchemas(`${place}[]`, before['items'] as JsonSchema, after['items'] as JsonSchema)
      : compareRule(place, 'items', before['items'], after['items']),
    ...[...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((keyword) => !PARTS.has(keyword) && !WORDING.has(keyword))
      .map((keyword) => compareRule(place, keyword, before[keyword], after[keyword])),
  ]);

const compareProperties = (place: string, before: JsonSchema, after: JsonSchema): Difference => {
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const [always, stillAlways] = [new Set(requiredOf(before)), new Set(requiredOf(after))];
  return together([
    ...Object.entries(was).map(([name, schema]) => {
      const now = is[name];
      if (!now) return breaking(`${place}.${name} is no longer told`);
      const rest = compareSchemas(`${place}.${name}`, schema, now);
      if (always.has(name) === stillAlways.has(name)) return rest;
      const words = `${place}.${name} ${always.has(name) ? 'is no longer always there' : 'is always there from now on'}`;
      return together([rest, always.has(name) ? breaking(words) : adding(words)]);
    }),
    ...Object.keys(is).flatMap((name) => (was[name] ? [] : [adding(`${place}.${name} is told`)])),
  ]);
};

/** Who tells values apart meets one that he does not know, or waits in vain for one that no longer comes. */
const compareValues = (place: string, before: JsonSchema, after: JsonSchema): Difference => {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  if (!was) return is ? adding(`${place} is one of ${JSON.stringify(is)} from now on`) : NONE;
  if (!is) return breaking(`${place} may be anything, where it was one of ${JSON.stringify(was)}`);
  return together([
    ...is.flatMap((value) => (was.includes(value) ? [] : [breaking(`${place} may be ${JSON.stringify(value)}, which it never was`)])),
    ...was.flatMap((value) => (is.includes(value) ? [] : [breaking(`${place} is never ${JSON.stringify(value)} any more`)])),
  ]);
};

const compareVariants = (place: string, before: JsonSchema, after: JsonSchema): Difference => {
  const [was, is] = [variantsOf(before), variantsOf(after)];
  if (was.length !== is.length) return breaking(`${place} comes in ${is.length} forms, where it came in ${was.length}`);
  return together(was.map((variant, index) => compareSchemas(`${place}(${index + 1})`, variant, is[index] ?? {})));
};

const compareRule = (place: string, keyword: string, before: unknown, after: unknown): Difference => {
  if (isSame(before, after)) return NONE;
  if (before === undefined) return adding(`${place} keeps to ${keyword} ${JSON.stringify(after)} from now on`);
  const narrower =
    typeof before === 'number' &&
    typeof after === 'number' &&
    ((LOWER_BOUNDS.has(keyword) && after > before) || (UPPER_BOUNDS.has(keyword) && after < before));
  const words = `${place} has ${keyword} ${JSON.stringify(after) ?? 'of any kind'}, where it was ${JSON.stringify(before)}`;
  return narrower ? adding(words) : breaking(words);
};
