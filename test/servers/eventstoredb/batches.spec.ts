import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EventStoreDb } from '../../../libs/adapters/eventstoredb/index.js';
import { StoreUnavailable, type AppendResult, type EncodedEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { encodedEvent } from '../../contract/event-store.contract.js';
import { eventually } from '../../eventually.js';
import type { AppendFault } from './faults.js';
import { openStores, type OpenedStores } from './opened-stores.js';

jest.setTimeout(30_000);

const LOST = 'the answer to an append was lost; its place was read';

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

const some = (count: number): readonly EncodedEvent[] => Array.from({ length: count }, () => encodedEvent());
const idsOf = (events: readonly EncodedEvent[]): readonly string[] => events.map(({ id }) => id);
const idsIn = async (from: EventStoreDb, stream: string): Promise<readonly string[]> => (await from.readStream(stream)).map(({ id }) => id);
const written = (from: EventStoreDb, stream: string): Promise<unknown> =>
  eventually(`${stream} written`, async () => (await from.readStream(stream)).length > 0);

/** Appends to pet-0, pet-1 and so on at the same time, one event to the first, two to the second. */
const appendAll = (faults: readonly AppendFault[]) => {
  server.faults.nextAppends.push(...faults);
  return faults.map((_, index) => {
    const events = some(index + 1);
    return { stream: `pet-${index}`, events, answer: store.append(`pet-${index}`, 'none', events) };
  });
};

describe('several appends in flight', () => {
  it('are each given their own answer, in whatever order the answers come', async () => {
    const appends = appendAll(['answer held back', 'answer held back']);
    const third = await store.append('pet-2', 'none', some(3));
    expect(third).toMatchObject({ kind: 'appended', revision: 2 });
    for (const { stream } of appends) await written(store, stream);
    server.faults.answerHeldBack();
    for (const [index, { answer }] of appends.entries()) expect(await answer).toMatchObject({ kind: 'appended', revision: index });
    expect(stores.warnings).toEqual([]);
  });

  it('are all looked for when the connection breaks: written ones are found, the others are sent again', async () => {
    const appends = appendAll([
      'silence after commit',
      'silence before commit',
      'silence after commit',
      'silence before commit',
      'cut before commit',
    ]);
    for (const [index, { stream, events, answer }] of appends.entries()) {
      expect(await answer).toMatchObject({ kind: 'appended', revision: index });
      expect(await idsIn(store, stream)).toEqual(idsOf(events));
    }
    expect(stores.warnings).toEqual(Array(5).fill(LOST));
  });

  it('are looked for at the new leader when the server says that it leads no longer', async () => {
    const leader = await serve();
    const atTheLeader = await open({ url: leader.url });
    const appends = appendAll(['silence after commit', 'silence before commit']);
    const [replicated] = appends;
    await written(store, 'pet-0');
    await atTheLeader.append('pet-0', 'none', replicated?.events ?? []);
    server.faults.leader = { host: '127.0.0.1', port: leader.port };
    const last = some(3);
    appends.push({ stream: 'pet-2', events: last, answer: store.append('pet-2', 'none', last) });
    for (const [index, { stream, events, answer }] of appends.entries()) {
      expect(await answer).toMatchObject({ kind: 'appended', revision: index });
      expect(await idsIn(atTheLeader, stream)).toEqual(idsOf(events));
    }
  });

  it('are not harmed by one that is given up', async () => {
    const impatient = await open({ patience: 250 });
    server.faults.nextAppends.push('silence before commit');
    let isAnswered = false;
    const silent = impatient.append('pet-silent', 'none', some(1)).finally(() => (isAnswered = true));
    for (let count = 0; !isAnswered; count++)
      expect(await impatient.append(`pet-${count}`, 'none', some(1))).toMatchObject({ kind: 'appended', revision: 0 });
    expect(await silent).toMatchObject({ kind: 'appended', revision: 0 });
    expect(stores.warnings).toEqual([LOST]);
  });

  it('are given up one by one, and a late answer is nobody else’s', async () => {
    const clock = manualClock();
    const patient = await open({ clock, patience: 1_500 });
    server.faults.nextAppends.push('answer held back', 'answer held back');
    const first = patient.append('pet-1', 'none', some(1));
    await written(store, 'pet-1');
    clock.advance(1_000);
    const second = patient.append('pet-2', 'none', some(2));
    await written(store, 'pet-2');
    clock.advance(600);
    expect(await first).toMatchObject({ kind: 'appended', revision: 0 });
    expect(await patient.append('pet-3', 'none', some(3))).toMatchObject({ kind: 'appended', revision: 2 });
    server.faults.answerHeldBack();
    expect(await second).toMatchObject({ kind: 'appended', revision: 1 });
    expect(stores.warnings).toEqual([LOST]);
  });

  it('are given up when the store is closed', async () => {
    const [append] = appendAll(['silence before commit']);
    const refused = expect(append?.answer).rejects.toThrow(StoreUnavailable);
    expect(await store.append('pet-1', 'none', some(1))).toMatchObject({ kind: 'appended' });
    await store.close();
    await refused;
  });

  it('are not sent when the store is closed before the server is found', async () => {
    const refused = expect(store.append('pet-1', 'none', some(1))).rejects.toThrow('EventStoreDB cannot be used now: the store is closed');
    await store.close();
    await refused;
    expect(await (await open()).readStream('pet-1')).toEqual([]);
  });
});

describe('an append that the server answers with an error', () => {
  it('is sent again when the server did not begin with it, without a look at its place', async () => {
    server.faults.nextAppends.push('busy', 'busy');
    expect(await store.append('pet-1', 'none', some(2))).toMatchObject({ kind: 'appended', revision: 1 });
    expect(stores.warnings).toEqual([]);
  });

  it('is refused alone when this caller may not write to its stream', async () => {
    server.faults.nextAppends.push('answer held back', 'access denied');
    const other = store.append('pet-1', 'none', some(2));
    const refused = store.append('pet-2', 'none', some(1));
    await expect(refused).rejects.toThrow('EventStoreDB cannot be used now: Access Denied');
    server.faults.answerHeldBack();
    expect(await other).toMatchObject({ kind: 'appended', revision: 1 });
  });
});

describe('a server that is started again', () => {
  it('takes the next append', async () => {
    await store.append('pet-1', 'none', some(1));
    await server.stop();
    await server.start();
    const events = some(2);
    expect(await store.append('pet-2', 'none', events)).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await idsIn(store, 'pet-2')).toEqual(idsOf(events));
  });
});

describe('200 appends at once over a connection that breaks again and again', () => {
  /** A generator of Lehmer, so that a failure comes back with its seed. */
  const randomFrom = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

  /** Asks with the same events until the answer is known, as the port has it. */
  const insist = async (stream: string, events: readonly EncodedEvent[]): Promise<AppendResult> => {
    for (let tries = 1; ; tries++) {
      try {
        return await store.append(stream, 'none', events);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || tries === 50) throw error;
      }
    }
  };

  it('are each written once and answered so', async () => {
    const random = randomFrom(1);
    const faults = Array.from({ length: 1_000 }, (): AppendFault | undefined => {
      const chance = random();
      if (chance < 0.01) return 'cut before commit';
      return chance < 0.02 ? 'cut after commit' : undefined;
    });
    const due = faults.values();
    jest.spyOn(server.faults.nextAppends, 'shift').mockImplementation(() => due.next().value);
    const appends = Array.from({ length: 200 }, (_, index) => ({ stream: `pet-${index}`, events: some(1 + (index % 3)) }));
    const answers = await Promise.all(appends.map(({ stream, events }) => insist(stream, events)));
    const all = await store.readAll(0, 1_000);
    expect(all.map(({ id }) => id).toSorted()).toEqual(appends.flatMap(({ events }) => idsOf(events)).toSorted());
    for (const [index, { stream, events }] of appends.entries()) {
      expect(await idsIn(store, stream)).toEqual(idsOf(events));
      const position = all.find(({ id }) => id === events.at(-1)?.id)?.position;
      expect(answers[index]).toEqual({ kind: 'appended', revision: events.length - 1, position });
    }
    expect(stores.warnings.length).toBeGreaterThan(0);
  });
});
