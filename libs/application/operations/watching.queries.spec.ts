import { describe, expect, it } from '@jest/globals';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { Collection, Documents, Where } from '../../eventsourcing/ports/documents.port.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { chainedLog } from '../../runtime/codec/chained-log.fixtures.js';
import { CountByStatus, CountByStatusHandler, ReadAppended, ReadAppendedHandler } from './watching.queries.js';

const NUMBERS: Readonly<Record<string, number>> = { placed: 8, approved: 0, shipped: 2, delivered: 900, cancelled: 40 };

it('orders are counted by status, each as one, whatever their quantity', async () => {
  const count = async ({ name }: Collection, { status }: Where) =>
    name === ordersProjection.collection.name && typeof status === 'string' ? (NUMBERS[status] ?? -1) : -1;
  expect(await new CountByStatusHandler({ count } as unknown as Documents).execute(new CountByStatus('orders'))).toEqual(NUMBERS);
});

/** Proves contract 43.12. */
describe('the appended events', () => {
  const openLog = async (change: (event: StoredEvent) => StoredEvent = (event) => event, count = 450) => {
    const log = await chainedLog({ 'thing-1': count });
    const events = log.events.map(change);
    const { codec } = log.logWith(events);
    const readAll = async (after: number, limit: number) => events.filter(({ position }) => position > after).slice(0, limit);
    const head = async (): Promise<number> => events.at(-1)?.position ?? 0;
    const handler = new ReadAppendedHandler({ readAll } as unknown as EventStore, codec as never, { states: async () => [], head });
    return (after: number | null, mayMiss = true) => handler.execute(new ReadAppended(after, mayMiss));
  };

  it('begin with the last 100 of the log', async () => {
    const { events, ...rest } = await (await openLog())(null);
    expect([events.length, events[0]?.revision, events.at(-1)?.revision, rest]).toEqual([100, 350, 449, { position: 450, more: false }]);
  });

  it.each([
    ['have gaps', (position: number) => position * 700],
    ['have a gap after many events', (position: number) => (position <= 1_950 ? position : position + 5_000)],
  ])('begin with the last 100 also of a log whose positions %s', async (_, placeOf) => {
    const { events, ...rest } = await (await openLog((event) => ({ ...event, position: placeOf(event.position) }), 2_000))(null);
    const last = { position: placeOf(2_000), more: false };
    expect([events.length, events[0]?.revision, events.at(-1)?.revision, rest]).toEqual([100, 1_900, 1_999, last]);
  });

  it('are those after a position, without their data', async () => {
    const { events, ...rest } = await (await openLog())(447);
    expect(rest).toEqual({ position: 450, more: false });
    expect(events.map(({ revision }) => revision)).toEqual([447, 448, 449]);
    for (const event of events) expect(Object.keys(event)).not.toContain('data');
  });

  it('are at most 200 at once: of more, the later ones are left out', async () => {
    const { events, ...rest } = await (await openLog())(0);
    expect([events.length, events.at(-1)?.revision, rest]).toEqual([200, 199, { position: 450, more: true }]);
    expect(await (await openLog())(250)).toMatchObject({ position: 450, more: false });
  });

  it('are all of them, one part after the other, for somebody who may not learn how many others write', async () => {
    const read = await openLog();
    expect(await read(null, false)).toEqual({ events: [], position: 450, more: false });
    const parts = [await read(0, false), await read(200, false), await read(400, false)];
    expect(parts.map(({ events, position, more }) => [events.length, position, more])).toEqual([
      [200, 200, true],
      [200, 400, true],
      [50, 450, false],
    ]);
  });

  it('leave out an altered event', async () => {
    const read = await openLog((event) => (event.revision === 448 ? { ...event, data: '{"n":-1}' } : event));
    expect((await read(447)).events.map(({ revision }) => revision)).toEqual([447, 449]);
  });
});
