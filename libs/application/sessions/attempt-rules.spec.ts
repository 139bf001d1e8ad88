import { describe, expect, it } from '@jest/globals';
import { failed, NO_ATTEMPTS, rememberedUntil, succeeded, waitOf, type AccountAttempts } from './attempt-rules.js';

const NOW = Date.parse('2026-01-02T03:04:05.000Z');
const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the attempts after failures from each network, all at one time. */
const failures = (count: number, networkOf: (nth: number) => string, at = NOW, before: AccountAttempts = NO_ATTEMPTS): AccountAttempts =>
  Array.from({ length: count }, (_, nth) => networkOf(nth)).reduce((attempts, network) => failed(attempts, network, at), before);
const fromOne = (count: number, at = NOW, before = NO_ATTEMPTS) => failures(count, () => 'one', at, before);
const fromMany = (count: number, at = NOW, before = NO_ATTEMPTS) => failures(count, (nth) => `network ${nth}`, at, before);
const signedIn = (network: string, at = NOW, before = NO_ATTEMPTS) => succeeded(failed(before, network, at), network, at);

/** Proves contract 30.7. */
describe('the wait before an attempt', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [6, 2],
    [7, 4],
    [10, 32],
    [11, 60],
    [99, 60],
  ])('after %i failures from its network is %i s', (count, seconds) => {
    expect(waitOf(fromOne(count), 'one', NOW)).toBe(seconds);
  });

  it('counts from the last failure', () => {
    expect([1_500, 3_999, 4_000].map((passed) => waitOf(fromOne(7), 'one', NOW + passed))).toEqual([3, 1, 0]);
  });

  it('does not depend on the failures from another network', () => {
    expect(waitOf(fromOne(20), 'other', NOW)).toBe(0);
  });

  it('ends with a success, and after an hour without attempts', () => {
    expect(waitOf(succeeded(fromOne(20), 'one', NOW), 'one', NOW)).toBe(0);
    expect(waitOf(failed(fromOne(20), 'one', NOW + HOUR), 'one', NOW + HOUR)).toBe(0);
  });

  it('is never longer than its rule says, even if somebody sets the clock back by a day', () => {
    expect(waitOf(fromOne(20), 'one', NOW - DAY)).toBe(0);
    expect(waitOf(fromOne(20), 'one', NOW - 30 * SECOND)).toBe(60);
    expect(waitOf(fromMany(100), 'other', NOW - DAY)).toBe(0);
    expect(waitOf(fromMany(100), 'other', NOW - 30 * SECOND)).toBe(3_600);
  });
});

/** Proves contract 30.7. */
describe('after 100 failures in an hour from all networks', () => {
  it('a network without a sign-in waits until the hour ends', () => {
    expect(waitOf(fromMany(99), 'other', NOW)).toBe(0);
    expect(waitOf(fromMany(100), 'other', NOW + HOUR - SECOND)).toBe(1);
    expect(waitOf(fromMany(100), 'other', NOW + HOUR)).toBe(0);
  });

  it('a network of an earlier sign-in may still try, for 90 days after that sign-in', () => {
    const attempts = signedIn('home');
    expect(waitOf(fromMany(100, NOW + 89 * DAY, attempts), 'home', NOW + 89 * DAY)).toBe(0);
    expect(waitOf(fromMany(100, NOW + 90 * DAY, attempts), 'home', NOW + 90 * DAY)).toBe(3_600);
  });

  it('successes do not count', () => {
    const attempts = Array.from({ length: 200 }).reduce<AccountAttempts>((before) => signedIn('home', NOW, before), NO_ATTEMPTS);
    expect([attempts.failures, waitOf(attempts, 'other', NOW)]).toEqual([0, 0]);
  });
});

describe('what is stored of attempts', () => {
  it('is forgotten an hour after the last one, or 90 days after the last sign-in', () => {
    expect(rememberedUntil(fromOne(1), NOW)).toBe(new Date(NOW + HOUR).toISOString());
    expect(rememberedUntil(signedIn('home'), NOW)).toBe(new Date(NOW + 90 * DAY).toISOString());
  });

  it('has the networks of the last hour and the 50 latest networks of sign-ins', () => {
    const old = fromMany(80);
    const attempts = Array.from({ length: 60 }).reduce<AccountAttempts>(
      (before, _, nth) => signedIn(`home ${nth}`, NOW + HOUR + nth, before),
      old,
    );
    expect(Object.keys(attempts.networks)).toEqual(Array.from({ length: 50 }, (_, nth) => `home ${nth + 10}`));
  });
});
