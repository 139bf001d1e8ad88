import { MAX_ERRORS, type FieldError } from './error-codes.js';
import { PROBLEMS, type ProblemDescription, type ProblemKind } from './problem-kinds.js';

type ProblemExtras = {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** An error that is sent as a problem document. Clients may see everything that it contains. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** The first `MAX_ERRORS` invalid fields. Undefined if the problem is not about fields. */
  readonly errors: readonly FieldError[] | undefined;
  /** Whether there are more errors than `errors` lists. */
  readonly errorsTruncated: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly kind: ProblemKind,
    readonly detail: string,
    { errors, headers = {} }: ProblemExtras = {},
  ) {
    super(detail);
    this.errors = errors?.slice(0, MAX_ERRORS).map((error) => ({ ...error, field: shortened(error.field, LONGEST_FIELD) }));
    this.errorsTruncated = errors !== undefined && errors.length > MAX_ERRORS;
    this.headers = headers;
  }

  /**
   * The problem in one text, for clients that get no list of errors. If there are several errors, the text has all of them. The
   * detail of a conflict names no field.
   */
  get summary(): string {
    const { errors = [] } = this;
    return errors.length > 1 || (this.kind === 'conflict' && errors.length > 0)
      ? errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
      : this.detail;
  }

  /** The HTTP status of the problem's kind. */
  get status(): number {
    return PROBLEMS[this.kind].status;
  }
}

/** The body of a problem (RFC 9457, contract 4.1). */
export type ProblemBody = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly FieldError[];
  readonly errorsTruncated?: true;
};

/** The media type of problems. */
export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** The maximum lengths of texts that come from the request, in characters (contract 4.1, 4.5). */
const LONGEST_FIELD = 200;
const LONGEST_INSTANCE = 1_024;

const shortened = (text: string, longest: number): string => (text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`);

/**
 * Creates the body of a problem.
 * `instance` is the request path. The query is left out, because a query may contain secrets.
 */
export const problemBody = ({ kind, detail, errors, errorsTruncated }: Problem, publicUrl: string, instance: string): ProblemBody => {
  const { title, status }: ProblemDescription = PROBLEMS[kind];
  return {
    type: `${publicUrl}/errors/${kind}`,
    title,
    status,
    detail,
    instance: instance.slice(0, LONGEST_INSTANCE),
    ...(errors && { errors }),
    ...(errorsTruncated && { errorsTruncated }),
  };
};

/** Creates the problem that lists the invalid fields of a request. */
export const fieldProblem = (kind: 'invalid-request' | 'validation-failed', errors: readonly FieldError[]): Problem =>
  new Problem(kind, detailOf(errors), { errors });

const detailOf = (errors: readonly FieldError[]): string => {
  if (errors.length > MAX_ERRORS) return `There are more than ${MAX_ERRORS} errors; the first ${MAX_ERRORS} are listed.`;
  const [first] = errors;
  const fields = new Set(errors.map(({ field }) => field)).size;
  return first && fields === 1
    ? `${shortened(first.field, LONGEST_FIELD)}: ${first.message}.`
    : `${fields} fields are invalid; see errors.`;
};
