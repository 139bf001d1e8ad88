import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { withExplicitTypes } from './explicit-types.js';

/** The schemas of the messages of a channel, by message name. */
export type MessageSchemas = Readonly<Record<string, JsonSchema>>;

/** How the schemas that the code declares differ from the accepted schemas. */
export type Difference = {
  /** Changes that break a consumer of the accepted schemas. */
  readonly breaks: readonly string[];
  /** Changes that a consumer can ignore. */
  readonly additions: readonly string[];
};

const NONE: Difference = { breaks: [], additions: [] };
const breaking = (...breaks: readonly string[]): Difference => ({ breaks, additions: [] });
const adding = (...additions: readonly string[]): Difference => ({ breaks: [], additions });
const combine = (differences: readonly Difference[]): Difference => ({
  breaks: differences.flatMap(({ breaks }) => breaks),
  additions: differences.flatMap(({ additions }) => additions),
});

/** Keywords that describe a value but do not restrict it. */
export const WORDING: ReadonlySet<string> = new Set([
  ...['$schema', 'title', 'description', 'examples', 'x-extensible-enum'],
  ...['default', 'x-default', 'deprecated', 'readOnly', 'writeOnly'],
]);
/** Keywords of lower bounds. A raised bound allows fewer values, which breaks no consumer. */
export const LOWER_BOUNDS: ReadonlySet<string> = new Set(['minimum', 'minLength', 'minItems', 'minProperties']);
/** Keywords of upper bounds. A lowered bound allows fewer values, which breaks no consumer. */
export const UPPER_BOUNDS: ReadonlySet<string> = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords that are compared by functions of their own. */
const PARTS: ReadonlySet<string> = new Set(['properties', 'required', 'items', 'oneOf', 'const', 'enum']);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** Returns the schemas of the properties. */
export const propertiesOf = ({ properties = {} }: JsonSchema): MessageSchemas => properties as MessageSchemas;
/** Returns the names of the required properties. */
export const requiredOf = ({ required = [] }: JsonSchema): readonly string[] => required as readonly string[];
/** Returns the schemas in `oneOf`. */
export const variantsOf = ({ oneOf = [] }: JsonSchema): readonly JsonSchema[] => oneOf as readonly JsonSchema[];

/** Returns the values in `const` or `enum`, or null if any value is allowed. */
export const valuesOf = ({ const: constant, enum: listed }: JsonSchema): readonly unknown[] | null =>
  constant !== undefined ? [constant] : Array.isArray(listed) ? (listed as readonly unknown[]) : null;

/** Returns a schema without the keywords of WORDING, recursively. */
export const withoutWording = (schema: JsonSchema): JsonSchema => {
  const { properties, items, oneOf } = schema;
  const rules = Object.entries(schema).filter(([keyword]) => !WORDING.has(keyword));
  return {
    ...Object.fromEntries(rules),
    ...(properties !== undefined && { properties: mapValues(propertiesOf(schema), withoutWording) }),
    ...(items !== undefined && { items: withoutWording(items as JsonSchema) }),
    ...(oneOf !== undefined && { oneOf: variantsOf(schema).map(withoutWording) }),
  };
};

/** Maps the values of a record. */
export const mapValues = <T, U>(record: Readonly<Record<string, T>>, make: (value: T) => U): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]));

/**
 * Compares the declared schemas (`after`) with the accepted schemas (`before`) for a consumer of the messages. Every message that
 * `after` allows must be valid under `before`, except for new properties and new messages.
 */
export const compareMessages = (before: MessageSchemas, after: MessageSchemas): Difference =>
  combine([
    ...Object.entries(before).map(([name, schema]) => {
      const now = after[name];
      return now ? compareSchemas(name, schema, now) : breaking(`${name} is no longer published`);
    }),
    ...Object.keys(after).flatMap((name) => (before[name] ? [] : [adding(`${name} is added`)])),
  ]);

const compareSchemas = (place: string, was: JsonSchema, is: JsonSchema): Difference => {
  const [before, after] = [withExplicitTypes(was), withExplicitTypes(is)];
  return combine([
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
};

const compareProperties = (place: string, before: JsonSchema, after: JsonSchema): Difference => {
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const [always, stillAlways] = [new Set(requiredOf(before)), new Set(requiredOf(after))];
  return combine([
    ...Object.entries(was).map(([name, schema]) => {
      const now = is[name];
      if (!now) return breaking(`${place}.${name} is no longer published`);
      const rest = compareSchemas(`${place}.${name}`, schema, now);
      if (always.has(name) === stillAlways.has(name)) return rest;
      const words = `${place}.${name} ${always.has(name) ? 'is no longer required' : 'is now required'}`;
      return combine([rest, always.has(name) ? breaking(words) : adding(words)]);
    }),
    ...Object.keys(is).flatMap((name) => (was[name] ? [] : [adding(`${place}.${name} is added`)])),
  ]);
};

/**
 * A new value and a removed value both break consumers: a consumer may not know the new value, or may depend on the
 * removed value.
 */
const compareValues = (place: string, before: JsonSchema, after: JsonSchema): Difference => {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  if (!was) return is ? adding(`${place} is now one of ${JSON.stringify(is)}`) : NONE;
  if (!is) return breaking(`${place} allows any value; it was one of ${JSON.stringify(was)}`);
  return combine([
    ...is.flatMap((value) => (was.includes(value) ? [] : [breaking(`${place} has the new value ${JSON.stringify(value)}`)])),
    ...was.flatMap((value) => (is.includes(value) ? [] : [breaking(`${place} no longer has the value ${JSON.stringify(value)}`)])),
  ]);
};

const compareVariants = (place: string, before: JsonSchema, after: JsonSchema): Difference => {
  const [was, is] = [variantsOf(before), variantsOf(after)];
  // The base of the forms has the former properties, so a consumer may ignore the forms.
  if (was.length === 0 && is.length > 0) return adding(`${place} now has ${is.length} forms`);
  if (was.length !== is.length) return breaking(`${place} has ${is.length} forms; it had ${was.length}`);
  return combine(was.map((variant, index) => compareSchemas(`${place}(${index + 1})`, variant, is[index] ?? {})));
};

const compareRule = (place: string, keyword: string, before: unknown, after: unknown): Difference => {
  if (isSame(before, after)) return NONE;
  if (before === undefined) return adding(`${place} now has ${keyword} ${JSON.stringify(after)}`);
  // Properties may be added, and consumers ignore those that they do not know (contract 28.2).
  if (keyword === 'additionalProperties' && before === false && after === undefined) return adding(`${place} is open`);
  const narrower =
    typeof before === 'number' &&
    typeof after === 'number' &&
    ((LOWER_BOUNDS.has(keyword) && after > before) || (UPPER_BOUNDS.has(keyword) && after < before));
  const words = `${place} has ${after === undefined ? `no ${keyword}` : `${keyword} ${JSON.stringify(after)}`}; it was ${JSON.stringify(before)}`;
  return narrower ? adding(words) : breaking(words);
};
