import { normalize } from 'node:path';

/** The form of a setting's text: a parser and a description. */
export type Form<T> = {
  /** Describes the form. An error message shows this text after "expected", and the documentation shows it, too. */
  readonly expected: string;
  /** Returns the value, or undefined if the text does not have this form. */
  readonly parse: (text: string) => T | undefined;
};

const hasNoControlCharacter = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text);

/** A name or a password: any text that fits on one line. */
export const lineForm: Form<string> = {
  expected: 'a text without control characters',
  parse: (text) => (hasNoControlCharacter(text) ? text : undefined),
};

/** A password of an account (contract 30.1). */
export const passwordForm: Form<string> = {
  expected: 'a password of 8 to 128 characters',
  parse: (text) => (hasNoControlCharacter(text) && text.length >= 8 && text.length <= 128 ? text : undefined),
};

/** The name of a claim. Issuers use words, words with dots between them, and URLs. */
export const claimForm: Form<string> = {
  expected: 'the name of a claim, or names with dots between them, for example scope or realm_access.roles',
  parse: (text) => (/^[\w:/~@-]+(?:\.[\w:/~@-]+)*$/.test(text) && text.length <= 200 ? text : undefined),
};

/** Returns whether a path is short enough. Linux permits 4,096 bytes, and 255 bytes for each name in a path. */
const isShortPath = (path: string): boolean => path.length < 4_000 && path.split('/').every((part) => Buffer.byteLength(part) <= 255);
/**
 * Matches text that is probably a mistake: `~` or `$HOME` that no shell has expanded, quotes, a URL or the root folder. Without
 * this check, the service would use the text as the name of a folder.
 */
const PROBABLY_NO_PATH = /^[~:"'`]|["'`]$|\$[\w{(]|^[a-z][\w+.-]+:\/\/|^file:|^\/+$/i;

/** A folder, or `:memory:` for none. */
export const folderForm: Form<string> = {
  expected: 'the path of a folder, for example /var/lib/petstore, or :memory:',
  // Without `normalize`, a path such as a/../b could only be used if a exists.
  parse: (text) =>
    text === ':memory:' || (hasNoControlCharacter(text) && !PROBABLY_NO_PATH.test(text) && isShortPath(text)) ? normalize(text) : undefined,
};

/** A file. */
export const fileForm: Form<string> = {
  expected: 'the path of a file, for example /run/secrets/signing-key.pem',
  parse: (text) =>
    hasNoControlCharacter(text) && !text.endsWith('/') && !text.startsWith(':') && !PROBABLY_NO_PATH.test(text) && isShortPath(text)
      ? text
      : undefined,
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

/**
 * Values separated by commas. The empty text is the empty list. Only a default can be an empty text, because an empty
 * variable counts as absent.
 */
export const listOf = <T>(expected: string, parseOne: Form<T>['parse']): Form<readonly T[]> => ({
  expected,
  parse: (text) => {
    if (text === '') return [];
    const values = text.split(',').map((part) => parseOne(part.trim()));
    return values.every((value) => value !== undefined) ? values : undefined;
  },
});

/** A port to listen on. 0 lets the operating system select a free port. */
export const portForm: Form<number> = {
  expected: 'a number from 0 to 65535',
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
};

/**
 * A name that keeps a store apart from other stores on the same servers. Its characters are permitted in the names of streams,
 * topics and databases. The empty text is the default.
 */
export const namespaceForm: Form<string> = {
  expected: '1 to 20 lower-case letters and digits',
  parse: (text) => (/^[a-z\d]{0,20}$/.test(text) ? text : undefined),
};

/** A number of replicas. */
export const replicationForm: Form<number> = {
  expected: 'a number from 1 to 9',
  parse: (text) => (/^[1-9]$/.test(text) ? Number(text) : undefined),
};

/** The highest value of a setting that counts spans, in the queue or in one request. */
const MOST_SPANS = 1_000_000;

/** A number of spans. */
export const spanCountForm: Form<number> = {
  expected: `a whole number from 1 to ${MOST_SPANS}`,
  parse: (text) => (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= MOST_SPANS ? Number(text) : undefined),
};

/** One hour, the highest value of the time settings of OpenTelemetry. A longer time would be of no use. */
const MOST_MILLISECONDS = 3_600_000;

/** A time in milliseconds without a unit, as OpenTelemetry defines its variables. */
export const millisecondsForm: Form<number> = {
  expected: `a whole number of milliseconds from 1 to ${MOST_MILLISECONDS}`,
  parse: (text) => (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= MOST_MILLISECONDS ? Number(text) : undefined),
};

/** A ratio. */
export const ratioForm: Form<number> = {
  expected: 'a number from 0 to 1, for example 0.1',
  parse: (text) => (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
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
/** The longest time in days: ten years. A date that is computed with a much longer time could be invalid. */
const LONGEST_DAYS = 3_650;

/** Returns the milliseconds of a time such as `15m`. Undefined if the text is not such a time, or if the time is too long. */
const milliseconds = (text: string): number | undefined => {
  const [, count, unit] = /^([1-9]\d{0,6})(ms|[smhd])$/.exec(text) ?? [];
  // If the text is not a time, `length` is NaN. Comparisons with NaN are false, so the function returns undefined.
  const length = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  return length <= LONGEST_DAYS * 86_400_000 ? length : undefined;
};

/** A time with a unit, above zero. The value is in milliseconds. */
export const durationForm: Form<number> = {
  expected: `a time, for example 30s, 15m, 12h or 7d, up to ${LONGEST_DAYS}d`,
  parse: milliseconds,
};

/** A time with a unit, or zero. The value is in milliseconds. */
export const delayForm: Form<number> = {
  expected: `a time, for example 0s, 250ms, 30s or 15m, up to ${LONGEST_DAYS}d`,
  parse: (text) => (/^0(ms|[smhd])$/.test(text) ? 0 : milliseconds(text)),
};

/** A time with a unit, or `off` for zero. The value is in milliseconds. */
export const waitForm: Form<number> = {
  expected: `a time, for example 250ms or 2s, up to ${LONGEST_DAYS}d, or off`,
  parse: (text) => (text === 'off' ? 0 : milliseconds(text)),
};

/** Times with a unit. Each may be zero. The values are in milliseconds. */
export const delaysForm: Form<readonly number[]> = listOf(
  `times separated by commas, for example 0s,250ms,15m, up to ${LONGEST_DAYS}d each`,
  delayForm.parse,
);

/** The number of requests that a caller may send in each window of time. */
export type RateLimit = { readonly limit: number; readonly windowSeconds: number };

/** A number of requests per window, or `off` for no limit. The window is a whole number of seconds. */
export const rateLimitForm: Form<RateLimit | 'off'> = {
  expected: 'requests per time in whole seconds, for example 100/10s or 5000/1h, or off',
  parse: (text) => {
    if (text === 'off') return text;
    const [, limit, window = ''] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? [];
    const length = milliseconds(window);
    return length !== undefined && length % 1000 === 0 ? { limit: Number(limit), windowSeconds: length / 1000 } : undefined;
  },
};

/** The models that clients of the chat can name. */
const CHAT_MODELS = ['PET_ADVISOR_1', 'PET_ADVISOR_TURBO'] as const;

/** For each model of the chat, the name of the language model that answers. The name may contain `=`. */
export const modelsForm: Form<Readonly<Record<(typeof CHAT_MODELS)[number], string>>> = {
  expected: 'a name for each model, for example PET_ADVISOR_1=large,PET_ADVISOR_TURBO=small',
  parse(text) {
    const pairs = text.split(',').map((pair) => pair.split('='));
    const names = Object.fromEntries(pairs.map(([model = '', ...name]) => [model.trim(), name.join('=').trim()]));
    const isComplete = pairs.length === CHAT_MODELS.length && CHAT_MODELS.every((model) => (names[model] ?? '') !== '');
    return isComplete && hasNoControlCharacter(text) ? (names as Readonly<Record<(typeof CHAT_MODELS)[number], string>>) : undefined;
  },
};
