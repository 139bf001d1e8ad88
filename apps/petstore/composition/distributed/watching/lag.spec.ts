import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../../../../libs/eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../../../../libs/eventsourcing/testing/manual-clock.js';
import type { Projection } from '../../../../../libs/eventsourcing/projection.js';
import { measureLag } from './lag.js';

const START = Date.parse('2026-01-02T03:04:05.000Z');
/** Positions of a log with gaps, as those of EventStoreDB. Each event is a second after the one before. */
const POSITIONS = [100, 624, 1_148];
const PROJECTIONS = ['pets', 'orders', 'payments'].map((name) => ({ collection: { name, version: 1 } }) as Projection);

const measure = (checkpoints: Readonly<Record<string, number>>, last = 1_148) => {
  const clock = manualClock();
  clock.set(START + 10_000);
  return measureLag({
    database: { checkpoints: async () => Object.entries(checkpoints).map(([name, position]) => ({ name, position })) },
    projections: PROJECTIONS,
    head: async () => last,
    store: {
      readAll: async (after: number) => POSITIONS.filter((position) => position > after).map((position) => ({ position }) as StoredEvent),
    },
    codec: {
      decode: ({ position }) => ({ meta: { time: new Date(START + POSITIONS.indexOf(position) * 1_000).toISOString() } }) as never,
    },
    clock,
  });
};

/** Proves contract 25.1. */
describe('the lag of readers of the log', () => {
  it('is the number of events and the age of the first, not a difference of positions', async () =>
    expect(await measure({ pets_v1: 1_148, orders_v1: 624, relay: 100 })).toEqual({
      behind: { pets_v1: 0, orders_v1: 1, payments_v1: 3, relay: 2 },
      behindSeconds: { pets_v1: 0, orders_v1: 8, payments_v1: 10, relay: 9 },
    }));

  it('is unknown if the log does not reach a checkpoint', async () =>
    expect(await measure({ pets_v1: 624, orders_v1: 100, payments_v1: 100, relay: 100 }, 100)).toEqual({
      behind: { pets_v1: null, orders_v1: 0, payments_v1: 0, relay: 0 },
      behindSeconds: { pets_v1: null, orders_v1: 0, payments_v1: 0, relay: 0 },
    }));
});
