import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EventStoreDb } from '../../../libs/adapters/eventstoredb/index.js';
import { StoreUnavailable, type AppendResult, type EncodedEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { encodedEvent } from '../../contract/event-store.contract.js';
import { eventually } from '../../eventually.js';
import type { AppendFault } from './faults.js';
import { openStores, type OpenedStores } from './opened-stores.js';

const LOST_RESPONSE = 'the response to an append was lost; its outcome was read from the stream';

let stores: OpenedStores;
let server: OpenedStores['server'];
let store: OpenedStores['store'];
const open: OpenedStores['open'] = (options) => stores.open(options);
const serve: OpenedStores['serve'] = () => stores.serve();

beforeEach(async () => {
  stores = await openStores();
  ({ server, store } = stores);
});
afterEach(() => stores.close());

const newEvents = (count: number): readonly EncodedEvent[] => Array.from({ length: count }, () => encodedEvent());
const idsOf = (events: readonly EncodedEvent[]): readonly string[] => events.map(({ id }) => id);
const idsIn = async (from: EventStoreDb, stream: string): Promise<readonly string[]> => (await from.readStream(stream)).map(({ id }) => id);
const written = (from: EventStoreDb, stream: string): Promise<unknown> =>
  eventually(`${stream} written`, async () => (await from.readStream(stream)).length > 0);

/** Appends to pet-0, pet-1, … concurrently: one event to the first, two to the second, and so on. */
const appendAll = (faults: readonly AppendFault[]) => {
  server.faults.nextAppends.push(...faults);
  return faults.map((_, index) => {
    const events = newEvents(index + 1);
    return { stream: `pet-${index}`, events, result: store.append(`pet-${index}`, 'none', events) };
  });
};

describe('concurrent appends', () => {
  it('each get their own response, in whatever order the responses arrive', async () => {
    const appends = appendAll(['response held back', 'response held back']);
    const third = await store.append('pet-2', 'none', newEvents(3));
    expect(third).toMatchObject({ kind: 'appended', revision: 2 });
    for (const { stream } of appends) await written(store, stream);
    server.faults.releaseResponses();
    for (const [index, { result }] of appends.entries()) expect(await result).toMatchObject({ kind: 'appended', revision: index });
    expect(stores.warnings).toEqual([]);
  });

  it('are looked up when the connection breaks: written ones are found, the others are sent again', async () => {
    const appends = appendAll([
      'silence after commit',
      'silence before commit',
      'silence after commit',
      'silence before commit',
      'cut before commit',
    ]);
    for (const [index, { stream, events, result }] of appends.entries()) {
      expect(await result).toMatchObject({ kind: 'appended', revision: index });
      expect(await idsIn(store, stream)).toEqual(idsOf(events));
    }
    expect(stores.warnings).toEqual(Array(5).fill(LOST_RESPONSE));
  });

  it('are looked up at the new leader when the server is no longer the leader', async () => {
    const leader = await serve();
    const atTheLeader = await open({ url: leader.url });
    const appends = appendAll(['silence after commit', 'silence before commit']);
    const [replicated] = appends;
    await written(store, 'pet-0');
    await atTheLeader.append('pet-0', 'none', replicated?.events ?? []);
    server.faults.leader = { host: '127.0.0.1', port: leader.port };
    const last = newEvents(3);
    appends.push({ stream: 'pet-2', events: last, result: store.append('pet-2', 'none', last) });
    for (const [index, { stream, events, result }] of appends.entries()) {
      expect(await result).toMatchObject({ kind: 'appended', revision: index });
      expect(await idsIn(atTheLeader, stream)).toEqual(idsOf(events));
    }
  });

  it('are not affected by an append that times out', async () => {
    server.faults.nextAppends.push('silence before commit');
    let hasResponse = false;
    const silent = store.append('pet-silent', 'none', newEvents(1)).finally(() => (hasResponse = true));
    for (let count = 0; !hasResponse; count++)
      expect(await store.append(`pet-${count}`, 'none', newEvents(1))).toMatchObject({ kind: 'appended', revision: 0 });
    expect(await silent).toMatchObject({ kind: 'appended', revision: 0 });
    expect(stores.warnings).toEqual([LOST_RESPONSE]);
  });

  it('time out one by one, and a late response is not matched to another append', async () => {
    const clock = manualClock();
    const patient = await open({ clock, timeout: 1_500 });
    server.faults.nextAppends.push('response held back', 'response held back');
    const first = patient.append('pet-1', 'none', newEvents(1));
    await written(store, 'pet-1');
    clock.advance(1_000);
    const second = patient.append('pet-2', 'none', newEvents(2));
    await written(store, 'pet-2');
    clock.advance(600);
    expect(await first).toMatchObject({ kind: 'appended', revision: 0 });
    expect(await patient.append('pet-3', 'none', newEvents(3))).toMatchObject({ kind: 'appended', revision: 2 });
    server.faults.releaseResponses();
    expect(await second).toMatchObject({ kind: 'appended', revision: 1 });
    expect(stores.warnings).toEqual([LOST_RESPONSE]);
  });

  it('fail when the store is closed', async () => {
    const [append] = appendAll(['silence before commit']);
    const rejected = expect(append?.result).rejects.toThrow(StoreUnavailable);
    expect(await store.append('pet-1', 'none', newEvents(1))).toMatchObject({ kind: 'appended' });
    await store.close();
    await rejected;
  });

  it('are not sent when the store is closed before the server is found', async () => {
    const rejected = expect(store.append('pet-1', 'none', newEvents(1))).rejects.toThrow(
      'EventStoreDB is unavailable: the store is closed',
    );
    await store.close();
    await rejected;
    expect(await (await open()).readStream('pet-1')).toEqual([]);
  });
});

describe('an append for which the server returns an error', () => {
  it('is sent again without a read when the server did not start it', async () => {
    server.faults.nextAppends.push('busy', 'busy');
    expect(await store.append('pet-1', 'none', newEvents(2))).toMatchObject({ kind: 'appended', revision: 1 });
    expect(stores.warnings).toEqual([]);
  });

  it('is rejected without effect on others when the caller may not write to its stream', async () => {
    server.faults.nextAppends.push('response held back', 'access denied');
    const other = store.append('pet-1', 'none', newEvents(2));
    const rejected = store.append('pet-2', 'none', newEvents(1));
    await expect(rejected).rejects.toThrow('EventStoreDB is unavailable: Access Denied');
    server.faults.releaseResponses();
    expect(await other).toMatchObject({ kind: 'appended', revision: 1 });
  });
});

describe('a restarted server', () => {
  it('accepts the next append', async () => {
    await store.append('pet-1', 'none', newEvents(1));
    await server.stop();
    await server.start();
    const events = newEvents(2);
    expect(await store.append('pet-2', 'none', events)).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await idsIn(store, 'pet-2')).toEqual(idsOf(events));
  });
});

describe('200 concurrent appends over a connection that breaks repeatedly', () => {
  /** Returns random numbers of a Lehmer generator. The same seed gives the same numbers, so that a failure is reproducible. */
  const randomFrom = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

  /** Retries with the same events until the outcome is known, as the port requires. */
  const appendUntilKnown = async (stream: string, events: readonly EncodedEvent[]): Promise<AppendResult> => {
    for (let tries = 1; ; tries++) {
      try {
        return await store.append(stream, 'none', events);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || tries === 50) throw error;
      }
    }
  };

  it('are each written exactly once and get the right response', async () => {
    const random = randomFrom(1);
    const faults = Array.from({ length: 1_000 }, (): AppendFault | undefined => {
      const chance = random();
      if (chance < 0.01) return 'cut before commit';
      return chance < 0.02 ? 'cut after commit' : undefined;
    });
    const due = faults.values();
    jest.spyOn(server.faults.nextAppends, 'shift').mockImplementation(() => due.next().value);
    const appends = Array.from({ length: 200 }, (_, index) => ({ stream: `pet-${index}`, events: newEvents(1 + (index % 3)) }));
    const results = await Promise.all(appends.map(({ stream, events }) => appendUntilKnown(stream, events)));
    const all = await store.readAll(0, 1_000);
    expect(all.map(({ id }) => id).toSorted()).toEqual(appends.flatMap(({ events }) => idsOf(events)).toSorted());
    for (const [index, { stream, events }] of appends.entries()) {
      expect(await idsIn(store, stream)).toEqual(idsOf(events));
      const position = all.find(({ id }) => id === events.at(-1)?.id)?.position;
      expect(results[index]).toEqual({ kind: 'appended', revision: events.length - 1, position });
    }
    expect(stores.warnings.length).toBeGreaterThan(0);
  });
});
