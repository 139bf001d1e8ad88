import { validateSync, type ValidationError } from 'class-validator';
import { MAX_ERRORS, type FieldError } from '../problems/error-codes.js';
import { longestList, nestedDto, propertiesOf, rulesOf, type Dto, type RuleMetadata } from './metadata.js';
import { wordingOf } from './wording.js';

/**
 * class-validator's verdict on a value as a DTO, failing fields in our own words; `[]` when it is right. Stops after one
 * error more than a problem lists: a body may have a hundred thousand. Known fields come first.
 */
export const explain = (dto: Dto, value: unknown): readonly FieldError[] => {
  if (!isPlainObject(value)) return [{ field: 'body', message: 'must be a JSON object', code: 'invalid_type' }];
  const errors = validateSync(instanceOf(dto, value)).flatMap((error) => fieldErrors(dto, error, ''));
  for (const field of unknownProperties(dto, value, '')) {
    if (errors.length > MAX_ERRORS) break;
    errors.push({ field, message: 'is not a known property', code: 'unknown_property' });
  }
  return errors.slice(0, MAX_ERRORS + 1);
};

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** "Properties not listed are rejected." Looked for here, since one by the name of `constructor` would hide the class from class-validator. */
const unknownProperties = function* (dto: Dto, plain: Record<string, unknown>, prefix: string): Generator<string> {
  const known = new Set(propertiesOf(dto));
  for (const property in plain) {
    if (!known.has(property)) {
      yield prefix + property;
      continue;
    }
    const nested = nestedDto(dto, property);
    const value = plain[property];
    if (nested && isPlainObject(value)) yield* unknownProperties(nested, value, `${prefix}${property}.`);
  }
};

/** class-validator looks at instances. Only declared nested objects are followed: what else is nested may be deep beyond any stack. */
const instanceOf = (dto: Dto, plain: Record<string, unknown>): object => {
  const instance = Object.create(dto.prototype as object) as Record<string, unknown>;
  for (const property of propertiesOf(dto)) {
    if (!Object.hasOwn(plain, property)) continue;
    const value = plain[property];
    const nested = nestedDto(dto, property);
    if (!nested && Array.isArray(value)) {
      instance[property] = value.slice(0, itemsLookedAt(dto, property));
      continue;
    }
    // A list where an object belongs is as wrong when it is empty.
    instance[property] = !nested ? value : isPlainObject(value) ? instanceOf(nested, value) : Array.isArray(value) ? [] : value;
  }
  return instance;
};

/** One item beyond what a list may hold says that it is too long; what is wrong with a hundred thousand more would take minutes to tell. */
const itemsLookedAt = (dto: Dto, property: string): number | undefined => {
  const longest = longestList(dto, property);
  return longest === undefined ? undefined : longest + 1;
};

const fieldErrors = (dto: Dto, { property, value, constraints, children }: ValidationError, prefix: string): readonly FieldError[] => {
  const field = prefix + property;
  const nested = nestedDto(dto, property);
  const below = nested ? (children ?? []).flatMap((child) => fieldErrors(nested, child, `${field}.`)) : [];
  const failed = Object.keys(constraints ?? {});
  if (failed.length === 0) return below;
  // "a missing required field gives only `required`"
  if (value === undefined) return [{ field, message: 'is required', code: 'required' }];
  const rules = rulesOf(dto).filter((rule) => rule.property === property);
  return [...typeFirst(failed.flatMap((name) => broken(name, field, value, rules))), ...below];
};

/** One rule's errors: of the field, or of each item that breaks it. */
const broken = (name: string, field: string, value: unknown, rules: readonly RuleMetadata[]): readonly FieldError[] => {
  const rule = rules.find((candidate) => candidate.name === name) ?? { args: [], message: undefined, each: false, holds: () => false };
  if (!rule.each) return [{ field, ...wordingOf(name, rule, value) }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) =>
    rule.holds(item) ? [] : [{ field: `${field}[${index}]`, ...wordingOf(name, rule, item) }],
  );
};

/** "wrong type gives only `invalid_type`": what is of another type breaks every other rule too. */
const typeFirst = (errors: readonly FieldError[]): readonly FieldError[] => {
  const mistyped = new Set(errors.filter(({ code }) => code === 'invalid_type').map(({ field }) => field));
  const told = new Set<string>();
  return errors.filter(({ field, code }) => {
    if (told.has(`${code} ${field}`) || (mistyped.has(field) && code !== 'invalid_type')) return false;
    told.add(`${code} ${field}`);
    return true;
  });
};
