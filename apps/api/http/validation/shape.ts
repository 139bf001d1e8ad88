import type { FieldError } from '../problems/error-codes.js';
import { compileCanonical } from './canonical.js';
import { fastPathOf } from './fast-path.js';
import type { Dto } from './metadata.js';
import type { NamedSchema } from './schemas.js';
import { listErrors } from './slow-path.js';

/** The result of validation: the value in canonical form, or all errors. */
export type ValidationResult<T> = { readonly value: T } | { readonly errors: readonly FieldError[] };

/** The validation of a body, by a DTO class. */
export type Shape<T extends object> = {
  /** The class that declares and documents the properties, or the schema of a body that is translated before validation. */
  readonly dto: Dto<T> | NamedSchema;
  /** Compiles the function that validates a body. The service calls `compile` once for each operation, at startup. */
  readonly compile: () => (value: unknown) => ValidationResult<T>;
};

/** A rule about several fields. The rule runs only if each field is valid. Returns an empty list if the rule is met. */
export type CrossRule<T> = (value: T) => readonly FieldError[];

/**
 * Creates a shape from a DTO class. A compiled validator (fast-path.ts) decides whether a value is valid.
 * Only for an invalid value, class-validator (slow-path.ts) lists the errors.
 */
export const shapeOf = <T extends object>(dto: Dto<T>, rules: readonly CrossRule<T>[] = []): Shape<T> & { readonly dto: Dto<T> } => ({
  dto,
  compile: () => {
    const makeCanonical = compileCanonical(dto);
    const accepts = fastPathOf(dto);
    return (value) => {
      makeCanonical(value);
      if (!accepts(value)) return { errors: errorsOfRejected(dto, value) };
      const errors = rules.flatMap((rule) => rule(value as T));
      return errors.length > 0 ? { errors } : { value: value as T };
    };
  },
});

/** Lists the errors of a value that the fast path rejects. If class-validator finds no error, returns one general error. */
const errorsOfRejected = (dto: Dto, value: unknown): readonly FieldError[] => {
  const errors = listErrors(dto, value);
  return errors.length > 0 ? errors : [{ field: 'body', message: 'does not have the documented form', code: 'INVALID_FORMAT' }];
};
