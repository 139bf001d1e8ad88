/** The codes in the `errors` of a problem, with their meanings for the error pages (contract 4.10). */
export const ERROR_CODES = {
  required: 'The field is missing.',
  invalid_type: 'The value has a wrong type, or cannot be parsed. null is always a wrong type.',
  invalid_enum: 'The value is not one of the documented values.',
  INVALID_FORMAT: 'The text has the right type but not the documented form.',
  unknown_property: 'The body has a property that is not documented.',
  unknown_parameter: 'The query has a parameter that is not documented.',
  repeated: 'A query parameter, or a part of an upload, occurs more than once, but must occur only once.',
  too_small: 'The number or time is below its minimum.',
  too_big: 'The number or time is above its maximum.',
  too_short: 'The text or list is shorter than its minimum.',
  too_long: 'The text or list is longer than its maximum.',
  not_unique: 'The list has the same value twice.',
  mismatch: 'The value must equal another value, but differs from it.',
  expired: 'The date is in the past.',
  unsupported_value: 'The value is valid for other services, but this service does not do what it asks for.',
  model_not_found: 'The chat has no model of this name.',
  forbidden_address: 'The service sends no requests to addresses of this kind, for example to those of private networks.',
} as const satisfies Readonly<Record<string, string>>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** An invalid field: its dotted path, the rule that it breaks, and the code of the rule. */
export type FieldError = { readonly field: string; readonly message: string; readonly code: ErrorCode };

/**
 * The maximum number of errors in a problem. Validation collects at most one error more. That error is not listed: it only
 * makes the problem state `errorsTruncated` (contract 4.5).
 */
export const MAX_ERRORS = 50;
