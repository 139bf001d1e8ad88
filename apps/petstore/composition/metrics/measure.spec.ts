import { describe, expect, it } from '@jest/globals';
import { STUCK_KINDS } from '../../../../libs/application/operations/stuck.js';
import type { StuckCount } from '../../../../libs/application/operations/stuck.queries.js';
import { NO_AUDIT } from '../../../../libs/audit/watch/audit-record.js';
import type { StoredEvent } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { checkpointOf } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { manualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { ordersProjection } from '../../../../libs/projections/orders.projection.js';
import { petsProjection } from '../../../../libs/projections/pets.projection.js';
import { createMeasure, type MetricSources } from './measure.js';
import type { OrderSources } from './measured-orders.js';

const NOW = '2026-01-02T03:04:00.000Z';
const RECORDED = '2026-01-02T03:03:20.000Z';

/** Measures a log with 5,000 events at positions 10, 20 and so on. Every reader has reached `checkpoint`. */
const given = (checkpoint: number, change: Partial<MetricSources> = {}) => {
  const clock = manualClock(NOW);
  const reads = { head: 0, log: 0, orders: 0, stuck: 0 };
  const events = Array.from({ length: 5_000 }, (_, nth) => ({ position: (nth + 1) * 10 }) as StoredEvent);
  const sources: MetricSources = {
    clock,
    head: async () => {
      reads.head++;
      return 50_000;
    },
    store: {
      readAll: async (after, limit) => {
        reads.log++;
        return events.filter(({ position }) => position > after).slice(0, limit);
      },
    },
    codec: { decode: () => ({ meta: { time: RECORDED } }) as never },
    documents: { checkpoint: async () => checkpoint },
    faults: { all: () => [] },
    parkedStreams: async () => ({ pets_v2: 2 }),
    readAudit: async () => ({ ...NO_AUDIT, verified: { position: 49_000, time: RECORDED }, faults: { time: 2 } }),
    hasRelay: true,
    messages: { consumers: async () => ({ processes: { behind: 3, parked: 1 } }) },
    orders: {
      countOrders: async () => {
        reads.orders++;
        return { placed: 8 };
      },
      countStuck: async () => {
        reads.stuck++;
        return [{ kind: 'order-not-approved', count: 3, oldest: RECORDED }];
      },
    },
    ...change,
  };
  return { clock, reads, sources, measure: createMeasure(sources) };
};

const fail = (): Promise<never> => Promise.reject(new Error('the server is down'));
const failAtOnce = (): never => {
  throw new Error('the code is wrong');
};

describe('the lag', () => {
  it('is the number of events after the position of a reader, and the age of the first of these events', async () => {
    const { relay, projections } = await given(49_930).measure();
    expect(relay).toEqual({ events: 7, seconds: 40 });
    expect(Object.keys(projections)).toEqual(expect.arrayContaining([petsProjection, ordersProjection].map(checkpointOf)));
    expect(new Set(Object.values(projections).map((lag) => JSON.stringify(lag)))).toEqual(new Set(['{"events":7,"seconds":40}']));
  });

  it('is zero at the end of the log, and no events are read', async () => {
    const { measure, reads } = given(50_000);
    expect((await measure()).relay).toEqual({ events: 0, seconds: 0 });
    expect(reads).toMatchObject({ head: 1, log: 0 });
  });

  it('is counted up to 1,000 events', async () => expect((await given(0).measure()).relay).toEqual({ events: 1_000, seconds: 40 }));

  it('is not negative if the event was recorded by a clock that is ahead', async () => {
    const codec = { decode: () => ({ meta: { time: '2026-01-02T03:05:00.000Z' } }) as never };
    expect((await given(49_990, { codec }).measure()).relay).toEqual({ events: 1, seconds: 0 });
  });

  it('has no age if the first event cannot be read', async () => {
    const codec = {
      decode: () => {
        throw new Error('altered');
      },
    };
    expect((await given(49_990, { codec }).measure()).relay).toEqual({ events: 1, seconds: null });
  });

  it.each<[string, Partial<MetricSources>]>([
    ['the log', { head: fail }],
    ['the read models', { documents: { checkpoint: fail } }],
    ['the waiting events', { store: { readAll: fail } }],
  ])('is unknown if %s cannot be read', async (_, change) => {
    const { relay, projections } = await given(10, change).measure();
    expect(relay).toBeNull();
    expect(new Set(Object.values(projections))).toEqual(new Set([null]));
  });

  it('of the relay is unknown in a profile without topics', async () =>
    expect((await given(10, { hasRelay: false }).measure()).relay).toBeNull());
});

describe('measured values', () => {
  it('that cannot be read are absent, and all others are present', async () => {
    const { measure } = given(10, { messages: { consumers: fail }, parkedStreams: fail });
    expect(await measure()).toMatchObject({ consumers: {}, parkedStreams: {}, alteredStreams: 0, relay: { events: 1_000 } });
  });

  it('are read from the servers at most once in five seconds', async () => {
    const { measure, reads, clock } = given(50_000);
    for (let scrape = 0; scrape < 100; scrape++) await measure();
    clock.advance(4_999);
    await measure();
    expect(reads.head).toBe(1);
    clock.advance(1);
    await measure();
    expect(reads.head).toBe(2);
  });

  it('contain the position and age of the last audit without a fault, and the faults of the last audit', async () => {
    expect(await given(0).measure()).toMatchObject({ audit: { position: 49_000, seconds: 40 }, auditFaults: { time: 2 } });
    expect(await given(0, { readAudit: fail }).measure()).toMatchObject({ audit: null, auditFaults: {} });
  });

  it('contain the numbers of altered and unreadable streams', async () => {
    const faults = { all: () => ['altered', 'unreadable', 'altered'].map((kind) => ({ kind }) as never) };
    expect(await given(0, { faults }).measure()).toMatchObject({ alteredStreams: 2, unreadableStreams: 1 });
  });
});

describe('orders and what is stuck', () => {
  const NONE = { count: 0, oldestSeconds: 0 };

  it('have a value for each status, and for each kind, also if nothing of it is stuck', async () => {
    const { orders, stuck } = await given(0).measure();
    expect(orders).toEqual({ placed: 8 });
    const none = Object.fromEntries(STUCK_KINDS.map((kind) => [kind, NONE]));
    expect(stuck).toEqual({ ...none, 'order-not-approved': { count: 3, oldestSeconds: 40 } });
  });

  it('are absent in a process without an api', async () => {
    const { orders: _, ...worker } = given(0).sources;
    const measured = await createMeasure(worker)();
    expect([measured.orders, measured.stuck, measured.parkedStreams]).toEqual([{}, {}, { pets_v2: 2 }]);
  });

  it.each<[string, OrderSources]>([
    ['rejects', { countOrders: fail, countStuck: fail }],
    ['throws', { countOrders: failAtOnce, countStuck: failAtOnce }],
  ])('are absent if their source %s, and the scrape succeeds', async (_, sources) => {
    const { orders, stuck, relay } = await given(10, { orders: sources }).measure();
    expect([orders, stuck, relay]).toEqual([{}, {}, { events: 1_000, seconds: 40 }]);
  });

  it('are read at most once in a minute, and what is stuck grows older meanwhile', async () => {
    const { measure, reads, clock } = given(0);
    await measure();
    clock.advance(59_999);
    expect((await measure()).stuck).toMatchObject({ 'order-not-approved': { oldestSeconds: 99.999 } });
    expect(reads).toMatchObject({ head: 2, orders: 1, stuck: 1 });
    clock.advance(5_000);
    await measure();
    expect(reads).toMatchObject({ head: 3, orders: 2, stuck: 2 });
  });

  it('are absent while a search takes longer than a second, which is not begun again, and shown once it has ended', async () => {
    let end = (_: readonly StuckCount[]): void => undefined;
    let searches = 0;
    const countStuck = (): Promise<readonly StuckCount[]> => {
      searches++;
      return new Promise((resolve) => (end = resolve));
    };
    const { measure, clock } = given(0, { orders: { countOrders: async () => ({ placed: 8 }), countStuck } });
    const first = measure();
    await yieldToEventLoop();
    clock.advance(1_000);
    const { orders, stuck } = await first;
    expect([orders, stuck]).toEqual([{ placed: 8 }, {}]);
    end([]);
    clock.advance(5_000);
    expect((await measure()).stuck).toMatchObject({ 'order-not-approved': NONE });
    expect(searches).toBe(1);
    clock.advance(60_000);
    const later = measure();
    await yieldToEventLoop();
    clock.advance(1_000);
    // Alerts wait for minutes without a gap.
    expect((await later).stuck).toMatchObject({ 'order-not-approved': NONE });
    expect(searches).toBe(2);
  });
});
