/** How the text of a setting is parsed. */
export type Form<T> = {
  /** Completes "expected …" in error messages, and is shown in the documentation. */
  readonly expected: string;
  /** Returns the value, or undefined when the text has another form. */
  readonly parse: (text: string) => T | undefined;
};

const hasNoControlCharacter = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text);

/** A name or a password: any text that fits on one line. */
export const lineForm: Form<string> = {
  expected: 'a text without control characters',
  parse: (text) => (hasNoControlCharacter(text) ? text : undefined),
};

const isShortPath = (path: string): boolean => path.length < 4_000 && path.split('/').every((part) => Buffer.byteLength(part) <= 255);
/**
 * Text that a shell would expand. An env file does not expand it, so a folder with that name would be
 * created.
 */
const UNEXPANDED = /^[~:"'`]|["'`]$|\$[\w{(]|^[a-z][\w+.-]+:\/\/|^file:|^\/+$/i;

/** A folder, or `:memory:` for none. */
export const folderForm: Form<string> = {
  expected: 'the path of a folder, for example /var/lib/petstore, or :memory:',
  parse: (text) => (text === ':memory:' || (hasNoControlCharacter(text) && !UNEXPANDED.test(text) && isShortPath(text)) ? text : undefined),
};

/** One of a few words. */
export const choiceOf = <const T extends string>(...words: readonly T[]): Form<T> => ({
  expected: `one of ${words.join(', ')}`,
  parse: (text) => words.find((word) => word === text),
});

/** A switch. */
export const onOffForm: Form<boolean> = {
  expected: 'on or off',
  parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
};

/** Values separated by commas. The empty text, possible only as a default, is the empty list. */
export const listOf = <T>(expected: string, parseOne: Form<T>['parse']): Form<readonly T[]> => ({
  expected,
  parse: (text) => {
    if (text === '') return [];
    const values = text.split(',').map((part) => parseOne(part.trim()));
    return values.every((value) => value !== undefined) ? values : undefined;
  },
});

/** A port to listen on. */
export const portForm: Form<number> = {
  expected: 'a number from 0 to 65535',
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
};

/** A name that keeps two stores on the same servers apart. Streams, topics and databases allow each character. */
export const namespaceForm: Form<string> = {
  expected: '1 to 20 lower-case letters and digits',
  parse: (text) => (/^[a-z\d]{0,20}$/.test(text) ? text : undefined),
};

/** A number of replicas. */
export const replicationForm: Form<number> = {
  expected: 'a number from 1 to 9',
  parse: (text) => (/^[1-9]$/.test(text) ? Number(text) : undefined),
};

const KEY_BYTES = 32;

/** An AES-256 key. */
export const keyForm: Form<Uint8Array> = {
  expected: `${KEY_BYTES} bytes in base64, for example from "openssl rand -base64 ${KEY_BYTES}"`,
  parse: (text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.length === KEY_BYTES && /^[\w+/-]+=*$/.test(text) ? new Uint8Array(bytes) : undefined;
  },
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Ten years, so that computed dates stay valid. */
const LONGEST_DAYS = 3_650;

const milliseconds = (text: string): number | undefined => {
  const [, count, unit] = /^([1-9]\d{0,6})(ms|[smhd])$/.exec(text) ?? [];
  const length = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  return length <= LONGEST_DAYS * 86_400_000 ? length : undefined;
};

/** A time in milliseconds, never zero. */
export const durationForm: Form<number> = {
  expected: `a time, for example 30s, 15m, 12h or 7d, up to ${LONGEST_DAYS}d`,
  parse: milliseconds,
};

/** A time in milliseconds, or zero. */
export const delayForm: Form<number> = {
  expected: `a time, for example 0s, 250ms, 30s or 15m, up to ${LONGEST_DAYS}d`,
  parse: (text) => (/^0(ms|[smhd])$/.test(text) ? 0 : milliseconds(text)),
};

/** A time in milliseconds, or `off` for zero. */
export const waitForm: Form<number> = {
  expected: `a time, for example 250ms or 2s, up to ${LONGEST_DAYS}d, or off`,
  parse: (text) => (text === 'off' ? 0 : milliseconds(text)),
};

/** Times in milliseconds, each possibly zero. */
export const delaysForm: Form<readonly number[]> = listOf(
  `times separated by commas, for example 0s,250ms,15m, up to ${LONGEST_DAYS}d each`,
  delayForm.parse,
);

/** The number of requests allowed per window. */
export type RateLimit = { readonly limit: number; readonly windowSeconds: number };

/** Requests per time in whole seconds. */
export const rateLimitForm: Form<RateLimit | 'off'> = {
  expected: 'requests per time in whole seconds, for example 100/10s or 5000/1h, or off',
  parse: (text) => {
    if (text === 'off') return text;
    const [, limit, window = ''] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? [];
    const length = milliseconds(window);
    return length !== undefined && length % 1000 === 0 ? { limit: Number(limit), windowSeconds: length / 1000 } : undefined;
  },
};
