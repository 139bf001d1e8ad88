import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { chainedLog, type ChainedLog } from '../../runtime/codec/chained-log.fixtures.js';
import { scanLog } from './scan-log.js';

let log: ChainedLog;
beforeAll(async () => {
  log = await chainedLog({ 'thing-1': 10_500, 'thing-2': 2 });
});

const FILTER = { tenant: 'shared' };

/** Returns a log with these events, and counts those that are read. */
const logWith = (events: readonly StoredEvent[]) => {
  const { codec } = log.logWith(events);
  const counted = { events: 0 };
  const readAll = async (after: number, limit: number): Promise<readonly StoredEvent[]> => {
    const read = events.slice(after, after + limit);
    counted.events += read.length;
    return read;
  };
  return { parts: { store: { readAll }, codec }, counted };
};

/** Proves contract 35.13. */
describe('a page of the log', () => {
  it('is read from at most 10,000 events, and the next page continues after them', async () => {
    const { parts, counted } = logWith(log.events);
    const first = await scanLog(parts, { ...FILTER, actor: 'nobody' }, 0, 20);
    expect([first, counted.events]).toEqual([{ events: [], next: 10_000 }, 10_000]);
    expect(await scanLog(parts, { ...FILTER, actor: 'nobody' }, 10_000, 20)).toEqual({ events: [], next: null });
  });

  it('ends at its last event, so that the next page misses none', async () => {
    const { parts } = logWith(log.events);
    const { events, next } = await scanLog(parts, FILTER, 0, 3);
    expect([events.map(({ position }) => position), next]).toEqual([[1, 2, 3], 3]);
    expect((await scanLog(parts, FILTER, 3, 1)).events.map(({ position }) => position)).toEqual([4]);
  });

  it('ends five minutes after the end of the requested time', async () => {
    const { parts, counted } = logWith(log.events);
    const { time } = JSON.parse(log.events[0]?.metadata ?? '') as { readonly time: string };
    const minutesBefore = (minutes: number): string => new Date(Date.parse(time) - minutes * 60_000).toISOString();
    expect(await scanLog(parts, { ...FILTER, to: minutesBefore(6) }, 0, 3)).toEqual({ events: [], next: null });
    expect(counted.events).toBe(1_000);
    expect((await scanLog(parts, { ...FILTER, to: minutesBefore(4) }, 0, 3)).next).toBe(10_000);
  });

  it('ends when a further condition has no more time, and the next page continues after it', async () => {
    const { parts } = logWith(log.events);
    const checked: number[] = [];
    const accepts = async ({ position }: { readonly position: number }): Promise<boolean> => checked.push(position) === 2;
    const page = await scanLog(parts, FILTER, 0, 20, { accepts, hasTime: () => checked.length < 3 });
    expect([page.events.map(({ position }) => position), page.next]).toEqual([[2], 3]);
  });

  it.each([
    ['was altered', { data: '{"n":7}' }],
    ['has no readable metadata', { metadata: '{' }],
    ['has an unknown type', { type: 'Painted' }],
  ])('leaves out an event that %s', async (_, change) => {
    const { parts } = logWith(log.events.map((event, index) => (index === 1 ? { ...event, ...change } : event)));
    expect((await scanLog(parts, FILTER, 0, 3)).events.map(({ position }) => position)).toEqual([1, 3, 4]);
  });
});
