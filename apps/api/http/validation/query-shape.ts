import { closestName } from '../closest-name.js';
import { MAX_ERRORS, type FieldError } from '../problems/error-codes.js';
import type { Dto } from './metadata.js';
import { dtoSchemas } from './schemas.js';
import { UUID, UUID_WORDING } from '../patterns.js';
import { shapeOf, type CrossRule } from './shape.js';

/** Query parameters as Fastify parses them. A repeated parameter is a list. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The result of validating query parameters. `malformed` is true if a parameter is unknown, repeated or cannot be parsed. If it
 * is true, the status of the problem is 400 (contract 2.4). If it is false, the status is 422, or 400 for an operation with a
 * `validationProblem` (contract 4.2, 4.3).
 */
type QueryValidationResult<T> = { readonly value: T } | { readonly errors: readonly FieldError[]; readonly malformed: boolean };

/** The validation of a query, by a DTO class. */
export type QueryShape<T extends object> = {
  readonly dto: Dto<T>;
  /** The compiled function also needs the URL as the client sent it. Only lists are read from it. */
  readonly compile: () => (raw: RawQuery, url: string) => QueryValidationResult<T>;
};

/**
 * Creates the shape of a query.
 * All properties of the DTO class are optional integers, booleans, texts, or comma-separated lists.
 */
export const queryShapeOf = <T extends object>(dto: Dto<T>, rules: readonly CrossRule<T>[] = []): QueryShape<T> => ({
  dto,
  compile: () => {
    const parsers = parsersOf(dto);
    const read = shapeOf(dto, rules).compile();
    return (raw, url) => {
      const value: Record<string, unknown> = {};
      const malformed: FieldError[] = [];
      for (const name of Object.keys(raw)) {
        if (malformed.length > MAX_ERRORS) break;
        const parser = parsers.get(name);
        const parsed = parser ? parse(name, raw[name], url, parser) : unknownParameter(name, parsers.keys());
        if ('code' in parsed) malformed.push(parsed);
        else value[name] = parsed.value;
      }
      // The parsed parameters are validated even if other parameters are malformed, so that the problem lists all errors.
      const result = read(value);
      if (malformed.length === 0) return 'value' in result ? result : { ...result, malformed: false };
      return { errors: [...malformed, ...('errors' in result ? result.errors : [])], malformed: true };
    };
  },
});

type Parsed = { readonly value: unknown } | FieldError;
/**
 * Parses the parameters of one type. `scalar` returns undefined for a text that it cannot parse. The error for such a text
 * has the message `expected` and the code `code`, by default `invalid_type`.
 */
type Parser = {
  readonly list: boolean;
  readonly scalar: (text: string) => unknown;
  readonly expected: string;
  readonly code?: FieldError['code'];
};

const INTEGER = /^-?\d+$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const PARSERS: Readonly<Record<string, Parser>> = {
  integer: { list: false, scalar: (text) => (INTEGER.test(text) ? Number(text) : undefined), expected: 'must be a whole number' },
  boolean: {
    list: false,
    scalar: (text) => BOOLEANS.get(text.toLowerCase()),
    expected: 'must be true or false',
  },
  string: { list: false, scalar: (text) => text, expected: 'must be a text' },
  /** Accepts any UUID. The same rule applies to an id in a path (contract 3.1). */
  uuid: { list: false, scalar: (text) => (UUID.test(text) ? text : undefined), expected: UUID_WORDING, code: 'INVALID_FORMAT' },
  array: { list: true, scalar: (text) => text, expected: 'must be a list' },
};

const parsersOf = (dto: Dto): ReadonlyMap<string, Parser> =>
  new Map(
    Object.entries(dtoSchemas()[dto.name]?.properties ?? {}).map(([name, { type, format }]) => {
      const parser = PARSERS[format === 'uuid' ? format : String(type)];
      if (!parser)
        throw new Error(
          `the query parameter ${name} of ${dto.name} has the type ${String(type)}; a query has integers, booleans, texts and lists`,
        );
      return [name, parser];
    }),
  );

/** Describes a parameter that the operation does not have. Names the one that was probably meant. */
export const unknownParameter = (name: string, known: Iterable<string>): FieldError => {
  const meant = closestName(name, known);
  const message = `is not a known query parameter${meant === null ? '' : `; did you mean ${meant}?`}`;
  return { field: name, message, code: 'unknown_parameter' };
};

const parse = (name: string, raw: string | readonly string[] | undefined, url: string, parser: Parser): Parsed => {
  if (parser.list) return { value: listOf(name, url) };
  if (typeof raw !== 'string') return { field: name, message: 'must be given once', code: 'repeated' };
  const value = parser.scalar(raw);
  return value === undefined ? { field: name, message: parser.expected, code: parser.code ?? 'invalid_type' } : { value };
};

/**
 * Returns the items of a list in a URL. The list is split before it is decoded, so that an item may have a comma, sent as `%2C`
 * (contract 2.4).
 */
const listOf = (name: string, url: string): readonly string[] => {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  return query.split('&').flatMap((pair) => {
    const end = pair.indexOf('=');
    return decode(end < 0 ? pair : pair.slice(0, end)) === name ? (end < 0 ? '' : pair.slice(end + 1)).split(',').map(decode) : [];
  });
};

/** Decodes a part of a query. Leaves a text with invalid percent-encoding as it is, as the parser of the other parameters does. */
const decode = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
};
