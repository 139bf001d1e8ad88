import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter, nextRetryDelay, afterAttempt, startNewRound, isAcknowledged, park } from './outcomes.js';
import { pendingDelivery } from '../deliveries.fixtures.js';
import type { Attempt, Delivery } from '../delivery.js';

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

const retrying = { delays: [0, 5 * SECOND, 60 * SECOND], random: () => 0 };
const pending = pendingDelivery('d1');
const attempted = (durationMilliseconds: number) => ({
  at: new Date(now.getTime() - durationMilliseconds).toISOString(),
  url: 'https://shop.example.com',
  durationMilliseconds,
});
const answered = (status: number): Attempt => ({ ...attempted(5), status });
const timedOut: Attempt = { ...attempted(15_000), fault: 'timed_out' };
const after = (delivery: Delivery, attempt: Attempt, retryAfter: number | null = null): Delivery =>
  afterAttempt(delivery, attempt, retryAfter, retrying);

/** Proves rows of contract 42.17. */
describe('an attempt', () => {
  it.each([
    [200, true],
    [202, true],
    [204, true],
    [299, true],
    [199, false],
    [300, false],
    [301, false],
    [307, false],
    [400, false],
    [410, false],
    [500, false],
  ])('with the response status %i acknowledges the delivery: %p', (status, expected) => expect(isAcknowledged({ status })).toBe(expected));

  it('without a response does not acknowledge the delivery', () => expect(isAcknowledged({})).toBe(false));
});

describe('a delivery', () => {
  it('is delivered once it is acknowledged', () =>
    expect(after(pending, answered(204))).toEqual({ ...pending, status: 'delivered', nextAttemptAt: null, attempts: [answered(204)] }));

  it.each([answered(500), answered(302), timedOut])(
    'is retried by the schedule after a failed attempt: status $status, fault $fault',
    (attempt) =>
      expect(after(pending, attempt)).toEqual({
        ...pending,
        failures: 1,
        attempts: [attempt],
        nextAttemptAt: '2026-01-02T03:04:10.000Z',
      }),
  );

  it('is retried after the delay that the receiver requested, when that is longer', () =>
    expect(after(pending, answered(503), 30 * SECOND).nextAttemptAt).toBe('2026-01-02T03:04:35.000Z'));

  it('is parked after its last attempt, with all attempts (contract 20.5)', () => {
    const last = { ...pending, failures: 2, attempts: [answered(500), answered(500)] };
    const expected = { ...last, failures: 3, attempts: [answered(500), answered(500), timedOut] };
    expect(after(last, timedOut)).toEqual({ ...expected, status: 'parked', parkedBecause: 'exhausted', nextAttemptAt: null });
  });

  it('is parked at once after a 410 (contract 17.6)', () =>
    expect(after(pending, answered(410))).toMatchObject({ status: 'parked', parkedBecause: 'gone', nextAttemptAt: null }));

  it('stays parked when it was parked during a failed attempt', () =>
    expect(after(park(pending, 'disabled'), answered(500))).toMatchObject({
      status: 'parked',
      parkedBecause: 'disabled',
      nextAttemptAt: null,
      attempts: [answered(500)],
    }));

  it('is delivered when it was parked during a successful attempt', () => {
    const delivered = after(park(pending, 'disabled'), answered(200));
    expect(delivered.status).toBe('delivered');
    expect(delivered).not.toHaveProperty('parkedBecause');
  });

  it('becomes pending when an attempt fails while it is waiting', () =>
    expect(after({ ...pending, status: 'waiting', sequence: 'w1/pet-1' }, answered(500)).status).toBe('pending'));
});

describe('a redelivered delivery', () => {
  const exhausted = park({ ...pending, failures: 3, attempts: [timedOut] }, 'exhausted');

  it('starts the schedule from the beginning, and keeps its ids, its body and its attempts', () => {
    const redelivered = startNewRound(exhausted, 'r1', null, now);
    const { parkedBecause: _, ...rest } = exhausted;
    expect(redelivered).toEqual({
      ...rest,
      status: 'pending',
      round: 1,
      failures: 0,
      redeliveryId: 'r1',
      nextAttemptAt: now.toISOString(),
    });
  });

  it('waits for the earlier deliveries of its sequence', () =>
    expect(startNewRound(exhausted, 'r1', 'w1/pet-1', now)).toMatchObject({ status: 'waiting', sequence: 'w1/pet-1' }));
});
