import { firstMillisecondAt, isCalendarDate, isDateTime } from '../../api/http/validation/formats.js';
import { CommandError } from '../errors/command-error.js';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of `15m`, `2h` or `3d`, and null for any other text. */
export const parseDuration = (text: string): number | null => {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  return size === undefined ? null : Number(count) * size;
};

/**
 * Parses a time in ISO 8601, a date (its first moment in UTC), or a duration before now, such as `15m`. Digits after the
 * milliseconds are dropped.
 */
export const parseTime = (option: string, text: string, now: Date): Date => {
  const ago = parseDuration(text);
  if (ago !== null) return new Date(now.getTime() - ago);
  if (isCalendarDate(text)) return new Date(`${text}T00:00:00Z`);
  if (isDateTime(text)) return new Date(text);
  throw new CommandError(
    `${option} ${JSON.stringify(text)} is not a time; examples: 2026-01-02T03:04:05Z, 2026-01-02 (UTC), or how long ago: 15m, 2h, 3d`,
  );
};

/** Parses the start of a range, or an end that is not included: the first millisecond that is not before the time. */
export const parseBound = (option: string, text: string, now: Date): Date =>
  isDateTime(text) ? firstMillisecondAt(text) : parseTime(option, text, now);
