/** What a code in a problem's `errors` means. One closed list: a code that is not here does not compile. */
export const ERROR_CODES = {
  required: 'The field is missing.',
  invalid_type: 'The value is of another type, or does not parse as its type; null counts as another type.',
  invalid_enum: 'The value is none of the documented ones.',
  INVALID_FORMAT: 'The text is of the right type but not of the documented form.',
  unknown_property: 'The body has a property that is not documented.',
  unknown_parameter: 'The query has a parameter that is not documented.',
  repeated: 'The query gives a parameter more than once that takes one value.',
  too_small: 'The number is below its minimum.',
  too_big: 'The number is above its maximum.',
  too_short: 'The text or list is shorter than its minimum.',
  too_long: 'The text or list is longer than its maximum.',
  not_unique: 'The list has the same value twice.',
  mismatch: 'The value differs from what it must equal.',
  expired: 'The date lies in the past.',
  forbidden_address: 'The address is one that this service does not call, as a private network’s.',
} as const satisfies Readonly<Record<string, string>>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One failing field: its dotted path, why, and the reason's code. */
export type FieldError = { readonly field: string; readonly message: string; readonly code: ErrorCode };

/** A problem lists so many errors at most; validation stops there. */
export const MAX_ERRORS = 50;
