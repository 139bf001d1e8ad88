import { MAX_ERRORS, type FieldError } from '../problems/error-codes.js';
import type { Dto } from './metadata.js';
import { shapeOf, type Shape } from './shape.js';

/** Creates the shape of a list with 1 to `longest` objects of a DTO class. */
export const listShapeOf = <T extends object>(dto: Dto<T>, longest: number): Shape<readonly T[]> & { readonly longest: number } => ({
  dto: dto as unknown as Dto<readonly T[]>,
  longest,
  compile: () => {
    const readItem = shapeOf(dto).compile();
    return (value) => {
      const misfit = misfitOf(value, longest);
      if (misfit) return { errors: [misfit] };
      const items = (value as readonly unknown[]).map((item) => readItem(item));
      const errors = items.flatMap((item, index) => ('errors' in item ? item.errors.map((error) => atIndex(error, index)) : []));
      // One error beyond MAX_ERRORS makes the problem state `errorsTruncated` (contract 4.5).
      if (errors.length > 0) return { errors: errors.slice(0, MAX_ERRORS + 1) };
      return { value: items.flatMap((item) => ('value' in item ? [item.value] : [])) };
    };
  },
});

const misfitOf = (value: unknown, longest: number): FieldError | null => {
  if (!Array.isArray(value)) return { field: 'body', message: 'must be a list', code: 'invalid_type' };
  if (value.length === 0) return { field: 'body', message: 'must have at least 1 item', code: 'too_short' };
  return value.length > longest ? { field: 'body', message: `must have at most ${longest} items`, code: 'too_long' } : null;
};

const atIndex = (error: FieldError, index: number): FieldError => ({
  ...error,
  field: error.field === 'body' ? `[${index}]` : `[${index}].${error.field}`,
});
