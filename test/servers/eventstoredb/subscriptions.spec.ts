import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore, type EventStoreDb } from '../../../libs/adapters/eventstoredb/index.js';
import type { EventStoreOptions } from '../../../libs/adapters/eventstoredb/event-store.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import type { EventBatch, StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { encodedEvent } from '../../contract/event-store.contract.js';
import { eventually } from '../../eventually.js';
import { startProtocolServer, type ProtocolServer } from './protocol-server.js';
import { silentLog } from '../../silent-log.js';

let server: ProtocolServer;
let store: EventStoreDb;
let reader: EventStoreDb;
let cleanups: (() => Promise<void>)[];
const open = (options: Partial<EventStoreOptions> = {}): Promise<EventStoreDb> =>
  openEventStore({ url: server.url, clock: systemClock, log: silentLog, ...options });

beforeEach(async () => {
  cleanups = [];
  server = await startProtocolServer(':memory:');
  store = await open();
  reader = await open();
});
afterEach(async () => {
  for (const end of cleanups) await end();
  await store.close();
  await reader.close();
  await server.close();
});

/** Collects the batches of a subscription. */
const subscribe = (
  after = 0,
  from: EventStoreDb = reader,
): { readonly batches: readonly EventBatch[]; readonly events: () => readonly StoredEvent[] } => {
  const batches: EventBatch[] = [];
  const controller = new AbortController();
  const run = async (): Promise<void> => {
    for await (const batch of from.subscribe(after, controller.signal)) batches.push(batch);
  };
  const ended = run();
  cleanups.push(() => {
    controller.abort();
    return ended;
  });
  return { batches, events: () => batches.flatMap(({ events }) => events) };
};

const write = async (stream: string, count: number): Promise<void> => {
  for (let revision = 0; revision < count; revision++) await store.append(stream, revision === 0 ? 'none' : revision - 1, [encodedEvent()]);
};
const waitUntilCaughtUp = (batches: readonly EventBatch[]): Promise<boolean> =>
  eventually('the end of the log', () => batches.at(-1)?.caughtUp);

describe('a dropped subscription', () => {
  it('resumes without gaps or duplicates, whichever side dropped it', async () => {
    const { events } = subscribe();
    for (let round = 0; round < 8; round++) {
      const before = events().length;
      const writing = write(`pet-${round}`, 20);
      await eventually('some events', () => events().length > before);
      if (round % 2 === 0) server.dropSubscriptions();
      else server.cutConnections();
      await writing;
    }
    await eventually('every event', () => events().length >= 160);
    expect(events()).toEqual(await store.readAll(0, 1_000));
  });

  it('resumes when the server restarts', async () => {
    await write('pet-1', 5);
    const { batches, events } = subscribe();
    await waitUntilCaughtUp(batches);
    await server.stop();
    await server.start();
    await eventually('the server back', async () => (await store.ready(), true));
    await write('pet-2', 5);
    await eventually('every event', () => events().length >= 10);
    expect(events()).toEqual(await store.readAll(0, 100));
  });

  it('skips events that the server repeats', async () => {
    server.faults.startsAtPosition = true;
    await write('pet-1', 3);
    const { batches, events } = subscribe();
    await waitUntilCaughtUp(batches);
    server.dropSubscriptions();
    await write('pet-2', 3);
    await eventually('every event', () => events().length >= 6);
    expect(events()).toEqual(await store.readAll(0, 100));
  });

  it('starts when the server starts', async () => {
    await server.stop();
    const { batches } = subscribe();
    await server.start();
    await waitUntilCaughtUp(batches);
    expect(batches).toEqual([{ events: [], caughtUp: true }]);
  });

  it('resumes after foreign events that it has skipped', async () => {
    await write('pet-1', 1);
    const { batches, events } = subscribe(0, await ownReader(['pet-']));
    await waitUntilCaughtUp(batches);
    await write('order-1', 30);
    server.dropSubscriptions();
    await write('pet-2', 1);
    await eventually('the later event', () => events().length === 2);
    expect(events().map(({ stream }) => stream)).toEqual(['pet-1', 'pet-2']);
  });
});

const ownReader = async (streams: readonly string[]): Promise<EventStoreDb> => {
  const own = await open({ streams });
  cleanups.push(() => own.close());
  return own;
};

describe('a subscription to a server before 23.10', () => {
  beforeEach(() => void (server.faults.reportsCaughtUp = false));

  it('reports caughtUp immediately for an empty log', async () => {
    const { batches } = subscribe();
    await waitUntilCaughtUp(batches);
    expect(batches).toEqual([{ events: [], caughtUp: true }]);
  });

  it('reports caughtUp after the stored events, and continues', async () => {
    for (let start = 0; start < 3_000; start += 1_000)
      await store.append(
        'pet-1',
        start === 0 ? 'none' : start - 1,
        Array.from({ length: 1_000 }, () => encodedEvent()),
      );
    const { batches, events } = subscribe();
    await waitUntilCaughtUp(batches);
    expect(events()).toHaveLength(3_000);
    expect(batches.slice(0, -1).some((batch) => batch.caughtUp)).toBe(false);
    await write('pet-2', 1);
    await eventually('the later event', () => events().length === 3_001);
    expect(batches.at(-1)?.caughtUp).toBe(true);
  });
});

describe('a slow subscriber', () => {
  it('gets every event in order', async () => {
    const controller = new AbortController();
    const batches = reader.subscribe(0, controller.signal)[Symbol.asyncIterator]();
    expect(await batches.next()).toEqual({ done: false, value: { events: [], caughtUp: true } });
    for (let start = 0; start < 6_000; start += 1_000)
      await store.append(
        'pet-1',
        start === 0 ? 'none' : start - 1,
        Array.from({ length: 1_000 }, () => encodedEvent()),
      );
    const revisions: number[] = [];
    while (revisions.length < 6_000) {
      const next = await batches.next();
      if (!next.done) revisions.push(...next.value.events.map(({ revision }) => revision));
    }
    expect(revisions).toEqual(Array.from({ length: 6_000 }, (_, index) => index));
    controller.abort();
    await batches.next();
  });
});

describe('streams of others', () => {
  it('are the system streams by default, and are skipped', async () => {
    await store.append('$settings', 'none', [encodedEvent()]);
    await write('pet-1', 1);
    await store.append('$settings', 0, [encodedEvent()]);
    const own = (await store.readStream('pet-1'))[0];
    expect(await store.readAll(0, 10)).toEqual([own]);
    expect(await store.lastPosition()).toBe(own?.position);
    const { batches, events } = subscribe();
    await waitUntilCaughtUp(batches);
    expect(events()).toEqual([own]);
  });

  it('are all streams without one of the configured prefixes', async () => {
    const pets = await ownReader(['pet-', 'order-']);
    for (const stream of ['pet-1', 'petal-1', 'order-1', 'user-1']) await write(stream, 1);
    expect((await pets.readAll(0, 10)).map(({ stream }) => stream)).toEqual(['pet-1', 'order-1']);
    const [, order] = await pets.readAll(0, 10);
    expect(await pets.lastPosition()).toBe(order?.position);
    expect(await pets.readAll(order?.position ?? 0, 10)).toEqual([]);
  });
});
