import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter, nextRetryDelay } from './schedule.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DELAYS = [0, 5 * SECOND, 5 * MINUTE, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
const soonest = { delays: DELAYS, random: () => 0 };
const latest = { delays: DELAYS, random: () => 1 };
const now = new Date('2026-01-02T03:04:05.000Z');

describe('the next attempt', () => {
  it.each([
    [0, 0],
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
    [10, null],
    [11, null],
  ])('has a minimum delay after %i failed attempts: %p ms', (failures, expected) =>
    expect(nextRetryDelay(soonest, failures, null)).toBe(expected),
  );

  it.each([
    [0, 0],
    [1, 5.5 * SECOND],
    [9, 26.4 * HOUR],
    [10, null],
  ])('has a maximum delay after %i failed attempts: %p ms', (failures, expected) =>
    expect(nextRetryDelay(latest, failures, null)).toBe(expected),
  );

  it.each([
    ['follows a Retry-After longer than the schedule', 1, 60 * SECOND, 60 * SECOND],
    ['ignores a Retry-After shorter than the schedule', 2, 60 * SECOND, 5 * MINUTE],
    ['waits for a day at most', 1, 240 * HOUR, 24 * HOUR],
    ['does not exist after the last attempt', 10, SECOND, null],
  ])('%s', (_, failures, retryAfter, expected) => expect(nextRetryDelay(soonest, failures, retryAfter)).toBe(expected));
});

describe('Retry-After', () => {
  it.each([
    ['120', 120 * SECOND],
    [' 0 ', 0],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60 * SECOND],
    ['Friday, 02-Jan-26 03:05:05 GMT', 60 * SECOND],
    ['Fri Jan  2 03:05:05 2026 GMT', 60 * SECOND],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['soon', null],
    ['-1', null],
    ['2.5', null],
    ['2026', 2026 * SECOND],
    ['', null],
    [undefined, null],
  ])('with the value %p is parsed to the milliseconds %p', (header, expected) => expect(parseRetryAfter(header, now)).toBe(expected));
});
