import { validateSync, type ValidationError } from 'class-validator';
import { MAX_ERRORS, type FieldError } from '../problems/error-codes.js';
import { maxItemsOf, nestedDto, propertiesOf, rulesOf, type Dto, type RuleMetadata } from './metadata.js';
import { wordingOf } from './wording.js';

/**
 * Validates a value with class-validator and returns its errors. Errors of known fields come first. Returns
 * at most MAX_ERRORS + 1 errors, because a body may have a hundred thousand.
 */
export const listErrors = (dto: Dto, value: unknown): readonly FieldError[] => {
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

/**
 * Finds unknown properties (contract 3.10). class-validator would miss some: it reads the class of a value
 * from the property `constructor`, which a body may contain.
 */
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

/**
 * Creates an instance of the DTO class for class-validator. Copies only nested objects that the class
 * declares, because unknown ones may be deep enough to overflow the stack.
 */
const instanceOf = (dto: Dto, plain: Record<string, unknown>): object => {
  const instance = Object.create(dto.prototype as object) as Record<string, unknown>;
  for (const property of propertiesOf(dto)) {
    if (!Object.hasOwn(plain, property)) continue;
    const value = plain[property];
    const nested = nestedDto(dto, property);
    if (!nested && Array.isArray(value)) {
      instance[property] = value.slice(0, validatedItemCount(dto, property));
      continue;
    }
    // A list in place of a nested object is always an error.
    // The empty list makes class-validator skip its items.
    instance[property] = !nested ? value : isPlainObject(value) ? instanceOf(nested, value) : Array.isArray(value) ? [] : value;
  }
  return instance;
};

/**
 * Returns how many items of a list are validated: the allowed number and one more, which shows that a list is
 * too long. Validating a hundred thousand items would take minutes.
 */
const validatedItemCount = (dto: Dto, property: string): number | undefined => {
  const longest = maxItemsOf(dto, property);
  return longest === undefined ? undefined : longest + 1;
};

const fieldErrors = (dto: Dto, { property, value, constraints, children }: ValidationError, prefix: string): readonly FieldError[] => {
  const field = prefix + property;
  const nested = nestedDto(dto, property);
  const below = nested ? (children ?? []).flatMap((child) => fieldErrors(nested, child, `${field}.`)) : [];
  const failed = Object.keys(constraints ?? {});
  if (failed.length === 0) return below;
  // A missing field has only this error (contract 4.4).
  if (value === undefined) return [{ field, message: 'is required', code: 'required' }];
  const rules = rulesOf(dto).filter((rule) => rule.property === property);
  return [...keepTypeErrors(failed.flatMap((name) => errorsOfRule(name, field, value, rules))), ...below];
};

/**
 * Returns the errors for a broken rule: one for the field,
 * or one for each item of a list that breaks the rule.
 */
const errorsOfRule = (name: string, field: string, value: unknown, rules: readonly RuleMetadata[]): readonly FieldError[] => {
  const rule = rules.find((candidate) => candidate.name === name) ?? { args: [], message: undefined, each: false, isMet: () => false };
  if (!rule.each) return [{ field, ...wordingOf(name, rule, value) }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) =>
    rule.isMet(item) ? [] : [{ field: `${field}[${index}]`, ...wordingOf(name, rule, item) }],
  );
};

/**
 * Removes duplicates. If a field has a wrong type, also removes its errors with other codes (contract 4.4).
 */
const keepTypeErrors = (errors: readonly FieldError[]): readonly FieldError[] => {
  const mistyped = new Set(errors.filter(({ code }) => code === 'invalid_type').map(({ field }) => field));
  const listed = new Set<string>();
  return errors.filter(({ field, code }) => {
    if (listed.has(`${code} ${field}`) || (mistyped.has(field) && code !== 'invalid_type')) return false;
    listed.add(`${code} ${field}`);
    return true;
  });
};
