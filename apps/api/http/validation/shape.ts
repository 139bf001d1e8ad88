import type { FieldError } from '../problems/error-codes.js';
import { compileCanonical } from './canonical.js';
import { fastPathOf } from './fast-path.js';
import type { Dto } from './metadata.js';
import { explain } from './slow-path.js';

/** A valid value in canonical form, or every error. */
export type Reading<T> = { readonly value: T } | { readonly errors: readonly FieldError[] };

/** The shape of a body. */
export type Shape<T extends object> = {
  /** The class that documents it. */
  readonly dto: Dto<T>;
  /** Creates the function that validates a body; called once, at start. */
  readonly compile: () => (value: unknown) => Reading<T>;
};

/** A rule across fields. It runs when each field is valid. */
export type CrossRule<T> = (value: T) => readonly FieldError[];

/**
 * Creates a shape from a DTO class. The compiled validator accepts values quickly. class-validator explains
 * the values that it rejects.
 */
export const shapeOf = <T extends object>(dto: Dto<T>, rules: readonly CrossRule<T>[] = []): Shape<T> => ({
  dto,
  compile: () => {
    const makeCanonical = compileCanonical(dto);
    const accepts = fastPathOf(dto);
    return (value) => {
      makeCanonical(value);
      if (!accepts(value)) return { errors: explainRejection(dto, value) };
      const errors = rules.flatMap((rule) => rule(value as T));
      return errors.length > 0 ? { errors } : { value: value as T };
    };
  },
});

/** A value that the fast path rejects stays rejected if class-validator accepts it. */
const explainRejection = (dto: Dto, value: unknown): readonly FieldError[] => {
  const errors = explain(dto, value);
  return errors.length > 0 ? errors : [{ field: 'body', message: 'does not have the documented form', code: 'INVALID_FORMAT' }];
};
