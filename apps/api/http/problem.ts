import type { FieldError } from './error-codes.js';
import { PROBLEMS, type ProblemDescription, type ProblemKind } from './problem-kinds.js';

type ProblemExtras = {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** A refusal on its way to the client. Thrown by the HTTP layer only; carries nothing but what may be shown. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly kind: ProblemKind,
    readonly detail: string,
    { errors, headers = {} }: ProblemExtras = {},
  ) {
    super(detail);
    this.errors = errors;
    this.headers = headers;
  }

  /** The HTTP status of its kind. */
  get status(): number {
    return PROBLEMS[this.kind].status;
  }
}

/** RFC 9457 fields; `errors` "on every 422 and on a 400 that a field caused". */
export type ProblemBody = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly FieldError[];
};

/** The media type of every error answer. */
export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** A problem as it is sent; `instance` is the request path without its query, which may hold anything. */
export const problemBody = ({ kind, detail, errors }: Problem, publicUrl: string, instance: string): ProblemBody => {
  const { title, status }: ProblemDescription = PROBLEMS[kind];
  return { type: `${publicUrl}/errors/${kind}`, title, status, detail, instance, ...(errors && { errors }) };
};

/** Problems about fields of the request, worded by how many there are. */
export const fieldProblem = (kind: 'invalid-request' | 'validation-failed', errors: readonly FieldError[]): Problem => {
  const fields = new Set(errors.map(({ field }) => field)).size;
  return new Problem(kind, fields === 1 ? `${errors[0]?.field}: ${errors[0]?.message}.` : `${fields} fields are at fault; see errors.`, {
    errors,
  });
};
