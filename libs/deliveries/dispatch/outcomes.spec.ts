import { describe, expect, it } from '@jest/globals';
import { pendingDelivery } from '../deliveries.fixtures.js';
import type { Attempt, Delivery } from '../delivery.js';
import { afterAttempt, startNewRound, isAcknowledged, park } from './outcomes.js';

const now = new Date('2026-01-02T03:04:05.000Z');
const SECOND = 1_000;
const retrying = { delays: [0, 5 * SECOND, 60 * SECOND], random: () => 0 };
const pending = pendingDelivery('d1');
const answered = (status: number): Attempt => ({ at: now.toISOString(), url: 'https://shop.example.com', durationMilliseconds: 5, status });
const timedOut: Attempt = { at: now.toISOString(), url: 'https://shop.example.com', durationMilliseconds: 15_000, fault: 'timed_out' };
const after = (delivery: Delivery, attempt: Attempt, retryAfter: number | null = null): Delivery =>
  afterAttempt(delivery, attempt, retryAfter, now, retrying);

describe('an answer', () => {
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
  ])('of %i acknowledges: %p', (status, expected) => expect(isAcknowledged({ status })).toBe(expected));

  it('that never came does not', () => expect(isAcknowledged({})).toBe(false));
});

describe('a delivery', () => {
  it('is over once it is acknowledged', () =>
    expect(after(pending, answered(204))).toEqual({ ...pending, status: 'delivered', nextAttemptAt: null, attempts: [answered(204)] }));

  it.each([answered(500), answered(302), timedOut])('is tried again by the schedule after %p', (attempt) =>
    expect(after(pending, attempt)).toEqual({
      ...pending,
      failures: 1,
      attempts: [attempt],
      nextAttemptAt: '2026-01-02T03:04:10.000Z',
    }),
  );

  it('is tried again when the receiver asks for it, where that is later', () =>
    expect(after(pending, answered(503), 30 * SECOND).nextAttemptAt).toBe('2026-01-02T03:04:35.000Z'));

  it('is parked after its last attempt, with all that came of it', () => {
    const last = { ...pending, failures: 2, attempts: [answered(500), answered(500)] };
    const expected = { ...last, failures: 3, attempts: [answered(500), answered(500), timedOut] };
    expect(after(last, timedOut)).toEqual({ ...expected, status: 'parked', parkedBecause: 'exhausted', nextAttemptAt: null });
  });

  it('is parked at once when its receiver is gone', () =>
    expect(after(pending, answered(410))).toMatchObject({ status: 'parked', parkedBecause: 'gone', nextAttemptAt: null }));

  it('that was parked on its way stays so', () =>
    expect(after(park(pending, 'disabled'), answered(500))).toMatchObject({
      status: 'parked',
      parkedBecause: 'disabled',
      nextAttemptAt: null,
      attempts: [answered(500)],
    }));

  it('that was parked on its way and arrived is delivered', () => {
    const delivered = after(park(pending, 'disabled'), answered(200));
    expect(delivered.status).toBe('delivered');
    expect(delivered).not.toHaveProperty('parkedBecause');
  });

  it('that was waiting and is tried is pending', () =>
    expect(after({ ...pending, status: 'waiting', sequence: 'w1/pet-1' }, answered(500)).status).toBe('pending'));
});

describe('a delivery that is asked for again', () => {
  const exhausted = park({ ...pending, failures: 3, attempts: [timedOut] }, 'exhausted');

  it('has the whole schedule before it, and keeps its ids, its body and its log', () => {
    const asked = startNewRound(exhausted, 'r1', null, now);
    const { parkedBecause: _, ...kept } = exhausted;
    expect(asked).toEqual({ ...kept, status: 'pending', round: 1, failures: 0, redeliveryId: 'r1', nextAttemptAt: now.toISOString() });
  });

  it('waits for its turn where there is an order', () =>
    expect(startNewRound(exhausted, 'r1', 'w1/pet-1', now)).toMatchObject({ status: 'waiting', sequence: 'w1/pet-1' }));
});
