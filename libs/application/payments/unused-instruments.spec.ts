import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { StoredInstrument, PaymentGateway } from '../../ports/payment-gateway.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { startDeletingUnusedInstruments } from './unused-instruments.js';

const HOUR = 3_600_000;
const STARTED = { type: 'OrderPaymentStarted', data: { reference: 'used' } };
const PLACED = { type: 'OrderPlaced', data: {} };

/**
 * Starts the deletion with these instruments at the gateway and these streams. Returns what was called and
 * deleted.
 */
const setUp = (instruments: readonly StoredInstrument[], streams: Readonly<Record<string, readonly object[] | Error>>) => {
  const clock = manualClock('2026-01-02T00:00:00.000Z');
  const limits: string[] = [];
  const deleted: string[] = [];
  const errors: unknown[] = [];
  const deleteUnused: PaymentGateway['deleteUnused'] = async (until, isNeeded) => {
    limits.push(until.toISOString());
    for (const instrument of instruments) if (!(await isNeeded(instrument))) deleted.push(instrument.reference);
    return deleted.length;
  };
  const readStream = async (stream: string): Promise<readonly StoredEvent[]> => {
    const events = streams[stream];
    if (events instanceof Error) throw events;
    return (events ?? []) as unknown as readonly StoredEvent[];
  };
  const decode = (event: StoredEvent): RecordedEvent => event as unknown as RecordedEvent;
  const stop = startDeletingUnusedInstruments({
    ...{ clock, gateway: { deleteUnused }, store: { readStream }, codec: { decode } },
    onError: (error) => errors.push(error),
  });
  const pass = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    for (let turns = 0; turns < 20; turns++) await yieldToEventLoop();
  };
  return { limits, deleted, errors, stop, pass };
};

describe('instruments at the gateway', () => {
  it('are deleted when no event of their order refers to them', async () => {
    const instruments = ['used', 'lost the race', 'of no order'].map((reference) => ({ reference, purpose: 'order-1' }));
    const { deleted, errors, stop, pass } = setUp(
      [...instruments.slice(0, 2), { reference: 'of no order', purpose: 'order-2' }, { reference: 'unpaid', purpose: 'order-3' }],
      { 'order-1': [PLACED, STARTED], 'order-3': [PLACED] },
    );
    await pass(60_000);
    expect([deleted, errors]).toEqual([['lost the race', 'of no order', 'unpaid'], []]);
    await stop();
  });

  it('are checked every hour, once they are a day old', async () => {
    const { limits, stop, pass } = setUp([], {});
    await pass(60_000);
    await pass(HOUR);
    expect(limits).toEqual(['2026-01-01T00:01:00.000Z', '2026-01-01T01:01:00.000Z']);
    await stop();
    await pass(HOUR);
    expect(limits).toHaveLength(2);
  });

  it('stay if the events cannot be read, which is reported', async () => {
    const { deleted, errors, stop, pass } = setUp([{ reference: 'used', purpose: 'order-1' }], { 'order-1': new Error('altered') });
    await pass(60_000);
    expect([deleted, errors]).toEqual([[], [expect.objectContaining({ message: expect.stringContaining('order-1') })]]);
    await stop();
  });

  it('wait for the next check while the log is down', async () => {
    const { deleted, errors, stop, pass } = setUp([{ reference: 'x', purpose: 'order-1' }], { 'order-1': new StoreUnavailable('down') });
    await pass(60_000);
    expect([deleted, errors]).toEqual([[], [expect.any(StoreUnavailable)]]);
    await stop();
  });
});
