import { isNullAbsence, maxItemsOf, nestedDto, propertiesOf, rulesOf, type Dto, type RuleMetadata } from './metadata.js';
import { CURRENCY_CODE } from './rules.js';

/** Converts a value to its canonical form. */
type Canonical = (value: unknown) => unknown;
type Members = Record<string, unknown>;

/**
 * Compiles a function that converts the enum values and currency codes of an object to canonical form (contract 3.2), and removes
 * members that are null where null is absence (contract 3.8). The function changes the object itself. It leaves unknown values as they
 * are, and validation rejects them.
 */
export const compileCanonical = (dto: Dto): ((value: unknown) => void) => {
  const rules = rulesOf(dto);
  const nullable = propertiesOf(dto).filter((property) => isNullAbsence(dto, property));
  const own = rules.flatMap((rule): readonly (readonly [string, Canonical])[] => {
    const canonical = canonicalOf(rule);
    return canonical ? [[rule.property, rule.each ? each(canonical, maxItemsOf(dto, rule.property)) : canonical]] : [];
  });
  const nested = [...new Set(rules.map(({ property }) => property))].flatMap(
    (property): readonly (readonly [string, (value: unknown) => void])[] => {
      const child = nestedDto(dto, property);
      if (!child) return [];
      const descend = compileCanonical(child);
      return [[property, isList(rules, property) ? forEach(descend, maxItemsOf(dto, property)) : descend]];
    },
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    const members = value as Members;
    for (const property of nullable) if (members[property] === null) delete members[property];
    for (const [property, canonical] of own) if (members[property] !== undefined) members[property] = canonical(members[property]);
    for (const [property, descend] of nested) descend(members[property]);
  };
};

const isList = (rules: readonly RuleMetadata[], property: string): boolean =>
  rules.some((rule) => rule.property === property && rule.name === 'isArray');

/** Applies `descend` to the objects of a list. Skips a list that is too long, because validation rejects it. */
const forEach =
  (descend: (value: unknown) => void, longest = Infinity) =>
  (value: unknown): void => {
    if (Array.isArray(value) && value.length <= longest) value.forEach(descend);
  };

const canonicalOf = ({ name, args: [values] }: RuleMetadata): Canonical | null => {
  if (name === CURRENCY_CODE) return (value) => (typeof value === 'string' ? upperCase(value) : value);
  return name === 'isIn' ? enumCanonical(values as readonly (string | number)[]) : null;
};

/** Converts only ASCII letters. `toUpperCase` would also convert other letters, such as ſ to S. */
const upperCase = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

/** Converts a text to the form in which enum values are compared: lower case, with `_` for `-` (contract 3.2). */
export const foldEnum = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('-', '_');

const enumCanonical = (values: readonly (string | number)[]): Canonical => {
  const exact = new Set<unknown>(values);
  const byFolded = new Map(values.filter((value) => typeof value === 'string').map((value) => [foldEnum(value), value]));
  return (value) => (exact.has(value) || typeof value !== 'string' ? value : (byFolded.get(foldEnum(value)) ?? value));
};

/** Applies `canonical` to the items of a list. Skips a list that is too long, because validation rejects it. */
const each =
  (canonical: Canonical, longest = Infinity): Canonical =>
  (value) =>
    Array.isArray(value) && value.length <= longest ? value.map(canonical) : value;
