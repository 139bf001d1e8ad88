import type { FieldError } from '../problems/error-codes.js';
import { compileCanonical } from './canonical.js';
import { compileFastPath } from './fast-path.js';
import type { Dto } from './metadata.js';
import { explain } from './slow-path.js';

/** A value found right, canonical; or every reason why not. */
export type Reading<T> = { readonly value: T } | { readonly errors: readonly FieldError[] };

/** What a body must be. */
export type Shape<T extends object> = {
  /** The class that describes it; of several, the one that is documented. */
  readonly dto: Dto<T>;
  /** Compiles the validators; called once, at start. */
  readonly compile: () => (value: unknown) => Reading<T>;
};

/** A rule across fields, for a value whose fields are each right. */
export type CrossRule<T> = (value: T) => readonly FieldError[];

/**
 * A shape from a DTO class. The compiled validator accepts; what it does not accept goes to class-validator, which
 * knows why.
 */
export const shapeOf = <T extends object>(dto: Dto<T>, rules: readonly CrossRule<T>[] = []): Shape<T> => ({
  dto,
  compile: () => {
    const makeCanonical = compileCanonical(dto);
    const accepts = compileFastPath(dto);
    return (value) => {
      makeCanonical(value);
      if (!accepts(value)) return { errors: explainRefusal(dto, value) };
      const errors = rules.flatMap((rule) => rule(value as T));
      return errors.length > 0 ? { errors } : { value: value as T };
    };
  },
});

/** What the fast path refuses stays refused, even if class-validator has no objection: the two must never differ unseen. */
const explainRefusal = (dto: Dto, value: unknown): readonly FieldError[] => {
  const errors = explain(dto, value);
  return errors.length > 0 ? errors : [{ field: 'body', message: 'is not of the documented form', code: 'INVALID_FORMAT' }];
};
