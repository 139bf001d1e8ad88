import { validateSync, type ValidationError } from 'class-validator';
import { MAX_ERRORS, type FieldError } from '../problems/error-codes.js';
import { maxItemsOf, nestedDto, propertiesOf, rulesOf, type Dto, type RuleMetadata } from './metadata.js';
import { wordingOf } from './wording.js';

/**
 * Validates a value with class-validator and returns its errors, those of known fields first. Returns at most MAX_ERRORS + 1
 * errors, because a body may have a hundred thousand.
 */
export const listErrors = (dto: Dto, value: unknown): readonly FieldError[] => {
  if (!isPlainObject(value)) return [{ field: 'body', message: 'must be a JSON object', code: 'invalid_type' }];
  const errors = validateSync(instanceOf(dto, value)).flatMap((error) => fieldErrors(dto, error, ''));
  for (const error of unknownProperties(dto, value, '')) {
    if (errors.length > MAX_ERRORS) break;
    errors.push(error);
  }
  return errors.slice(0, MAX_ERRORS + 1);
};

/** Whether a value is a JSON object, and no list. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Finds unknown properties (contract 3.10). class-validator would miss some: it reads the class of a value
 * from the property `constructor`, which a body may contain.
 */
const unknownProperties = function* (dto: Dto, plain: Record<string, unknown>, prefix: string): Generator<FieldError> {
  const allowed = new Set(propertiesOf(dto));
  for (const property in plain) {
    if (!allowed.has(property)) {
      yield unknownProperty(prefix, property);
      continue;
    }
    const nested = nestedDto(dto, property);
    const value = plain[property];
    if (!nested) continue;
    if (isPlainObject(value) && !isListOf(dto, property)) yield* unknownProperties(nested, value, `${prefix}${property}.`);
    const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, validatedItemCount(dto, property)) : [];
    for (const [index, item] of items.entries())
      if (isPlainObject(item)) yield* unknownProperties(nested, item, `${prefix}${property}[${index}].`);
  }
};

/**
 * Creates an instance of the DTO class for class-validator. Copies only nested objects that the class
 * declares. Unknown objects may be nested so deeply that copying them would overflow the stack.
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
    if (nested && Array.isArray(value)) {
      // A list in place of a nested object is always an error. An empty list keeps class-validator from reading the items.
      const items = isListOf(dto, property) ? value.slice(0, validatedItemCount(dto, property)) : [];
      instance[property] = items.map((item: unknown) => (isPlainObject(item) ? instanceOf(nested, item) : item));
      continue;
    }
    // An object in place of a list is always an error. With false, class-validator reports the error and does not read the object.
    if (nested && isPlainObject(value)) instance[property] = isListOf(dto, property) ? false : instanceOf(nested, value);
    else instance[property] = value;
  }
  return instance;
};

const NAME = /^[\w.-]{1,40}$/;

/** A form that is sent as JSON becomes a name, passwords and all. So a text that is no name is not repeated (contract 3.10). */
const unknownProperty = (prefix: string, property: string): FieldError =>
  NAME.test(property)
    ? { field: prefix + property, message: 'is not a known property', code: 'unknown_property' }
    : {
        field: prefix.slice(0, -1) || 'body',
        message: 'has a property whose name is not repeated here; is it a form?',
        code: 'unknown_property',
      };

const isListOf = (dto: Dto, property: string): boolean =>
  rulesOf(dto).some((rule) => rule.property === property && rule.name === 'isArray');

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
  const below = nested ? (children ?? []).flatMap((child) => errorsBelow(nested, child, field)) : [];
  const failed = Object.keys(constraints ?? {});
  if (failed.length === 0) return below;
  // A missing field has only this error (contract 3.8, 4.4).
  if (value === undefined || value === null) return [{ field, message: 'is required', code: 'required' }];
  const rules = rulesOf(dto).filter((rule) => rule.property === property);
  return [...keepTypeErrors(failed.flatMap((name) => errorsOfRule(name, field, value, rules))), ...below];
};

/**
 * Returns the errors of one property of a nested object, or of one item of a list. For an item, `child.property` is its
 * index.
 */
const errorsBelow = (nested: Dto, child: ValidationError, field: string): readonly FieldError[] =>
  Array.isArray(child.target)
    ? (child.children ?? []).flatMap((grandchild) => fieldErrors(nested, grandchild, `${field}[${child.property}].`))
    : fieldErrors(nested, child, `${field}.`);

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

/** Removes duplicates. If a field has a wrong type, also removes its errors with other codes (contract 4.4). */
const keepTypeErrors = (errors: readonly FieldError[]): readonly FieldError[] => {
  const mistyped = new Set(errors.filter(({ code }) => code === 'invalid_type').map(({ field }) => field));
  const listed = new Set<string>();
  return errors.filter(({ field, code }) => {
    if (listed.has(`${code} ${field}`) || (mistyped.has(field) && code !== 'invalid_type')) return false;
    listed.add(`${code} ${field}`);
    return true;
  });
};
