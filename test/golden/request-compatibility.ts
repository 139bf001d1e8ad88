import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { LOWER_BOUNDS, propertiesOf, requiredOf, UPPER_BOUNDS, valuesOf, variantsOf, WORDING } from './compatibility.js';
import { withExplicitTypes } from './explicit-types.js';

/** Keywords that have their own comparison functions. */
const PARTS: ReadonlySet<string> = new Set(['properties', 'required', 'items', 'oneOf', 'const', 'enum', 'type', 'default', 'x-default']);
/** Keywords that restrict no value. A discriminator only helps tools to choose a form. */
const HINTS: ReadonlySet<string> = new Set(['discriminator', '$ref']);

/**
 * Returns the changes of a request schema that break a client. Every value that was valid must still be valid and have
 * the same meaning.
 */
export const requestBreaks = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] =>
  breaksBetween(place, withExplicitTypes(before), withExplicitTypes(after));

const breaksBetween = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] => [
  ...propertyBreaks(place, before, after),
  ...typeBreaks(place, before, after),
  ...valueBreaks(place, before, after),
  ...formBreaks(place, before, after),
  ...itemBreaks(place, before, after),
  ...defaultBreaks(place, before, after),
  ...Object.keys(after)
    .filter((keyword) => !PARTS.has(keyword) && !WORDING.has(keyword) && !HINTS.has(keyword))
    .flatMap((keyword) => ruleBreaks(place, keyword, before[keyword], after[keyword])),
];

const propertyBreaks = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const required = new Set(requiredOf(before));
  return [
    ...Object.entries(was).flatMap(([name, schema]) => {
      const now = is[name];
      return now ? requestBreaks(`${place}.${name}`, schema, now) : [`${place}.${name} is no longer accepted`];
    }),
    ...requiredOf(after).flatMap((name) => (required.has(name) ? [] : [`${place}.${name} is now required`])),
  ];
};

/** Returns the allowed types, or null if any type is allowed. */
const typesOf = ({ type }: JsonSchema): readonly string[] | null =>
  type === undefined ? null : Array.isArray(type) ? (type as readonly string[]) : [type as string];

const typeBreaks = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [typesOf(before), typesOf(after)];
  if (!is) return [];
  const rejected = (was ?? ['any type']).filter((type) => !is.includes(type) && !(type === 'integer' && is.includes('number')));
  return rejected.map((type) => `${place} no longer accepts ${type}; it accepts ${is.join(', ')}`);
};

const valueBreaks = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  if (!is) return [];
  if (!was) return [`${place} accepts only ${JSON.stringify(is)}; it accepted any value`];
  return was.flatMap((value) => (is.includes(value) ? [] : [`${place} no longer accepts ${JSON.stringify(value)}`]));
};

/** Reports each old form of a request that no new form accepts. */
const formBreaks = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [variantsOf(before), variantsOf(after)];
  if (is.length === 0) return [];
  if (was.length === 0) return [`${place} accepts only ${is.length} forms; it accepted any`];
  return was.flatMap((form, index) =>
    is.some((candidate) => requestBreaks(place, form, candidate).length === 0) ? [] : [`${place} no longer accepts form ${index + 1}`],
  );
};

const itemBreaks = (place: string, { items: was }: JsonSchema, { items: is }: JsonSchema): readonly string[] => {
  if (is === undefined) return [];
  return was === undefined ? [`${place} restricts its items`] : requestBreaks(`${place}[]`, was as JsonSchema, is as JsonSchema);
};

/** The default of a parameter or, by an extension, of a property (contract 25.3). */
const defaultOf = (schema: JsonSchema): unknown => schema['default'] ?? schema['x-default'];

const defaultBreaks = (place: string, before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [defaultOf(before), defaultOf(after)];
  return was === undefined || was === is ? [] : [`${place} has default ${JSON.stringify(is)}; it was ${JSON.stringify(was)}`];
};

const ruleBreaks = (place: string, keyword: string, before: unknown, after: unknown): readonly string[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (keyword === 'additionalProperties' && after !== false) return [];
  if (typeof before === 'number' && typeof after === 'number') {
    if (LOWER_BOUNDS.has(keyword) && after < before) return [];
    if (UPPER_BOUNDS.has(keyword) && after > before) return [];
  }
  const former = before === undefined ? `it had no ${keyword}` : `it was ${JSON.stringify(before)}`;
  return [`${place} has ${keyword} ${JSON.stringify(after)}; ${former}`];
};
