import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { agreeOnStoreId, carryStoreId, STORE_STREAM, storeIdInDatabase, type IdentityPorts, type StoreRecord } from './store-identity.js';

const A = '0190a6b5-0000-7000-8000-00000000000a';
const B = '0190a6b5-0000-7000-8000-00000000000b';

const stored = (stream: string, data: string, position: number): StoredEvent => ({
  id: `event-${position}`,
  type: 'Any',
  metadata: '{}',
  stream,
  data,
  revision: 0,
  position,
});

/** Servers in memory; a store's own stream is not among the events that are read. */
const servers = () => {
  const named: string[] = [];
  const events: StoredEvent[] = [];
  let inDatabase: StoreRecord | null = null;
  const serviceKeys = new Set<string>();
  let made = 0;
  const ports: IdentityPorts = {
    log: {
      async append(stream, expected, [event]) {
        if (stream !== STORE_STREAM || expected !== 'none') throw new Error('only the id is written');
        if (named.length > 0) return { kind: 'conflict', actual: 0 };
        named.push(event?.data ?? '');
        return { kind: 'appended', revision: 0, position: 1 };
      },
      readStream: async (stream) => (stream === STORE_STREAM ? named.map((data) => stored(stream, data, 1)) : []),
      readAll: async (after, limit) => events.filter(({ position }) => position > after).slice(0, limit),
    },
    records: { recordOnce: async (_, record) => (inDatabase ??= record), get: async () => inDatabase },
    keys: { lookUp: async (kind, name) => (kind === 'service' && serviceKeys.has(name) ? new Uint8Array(32) : undefined) },
    newId: () => [A, B][made++] ?? '',
  };
  return {
    ports,
    ids: () => [named.map((data) => (JSON.parse(data) as StoreRecord).storeId), inDatabase?.storeId ?? null],
    addEvent: (data = '{}') => void events.push(stored('pet-1', data, events.length + 2)),
    addKeys: () => void serviceKeys.add('idempotency'),
    loseLog: () => void ([named.length, events.length] = [0, 0]),
    loseDatabase: () => (serviceKeys.clear(), (inDatabase = null)),
    loseRecord: () => (inDatabase = null),
    setDatabase: (storeId: string) => (inDatabase = { storeId }),
  };
};

describe('the id of a store on several machines', () => {
  let store: ReturnType<typeof servers>;
  const agree = (ports: Partial<IdentityPorts> = {}) => agreeOnStoreId({ ...store.ports, ...ports });
  beforeEach(() => void (store = servers()));

  it('is made once, lies in the log and in the database, and stays', async () => {
    expect([await agree(), await agree(), store.ids()]).toEqual([A, A, [[A], A]]);
  });

  it('is one when two processes make it at once', async () => {
    expect(await Promise.all([agree(), agree()])).toEqual([A, A]);
    expect(store.ids()).toEqual([[A], A]);
  });

  it('is completed when the first process died after the log had it', async () => {
    await agree();
    store.loseRecord();
    expect([await agree(), store.ids()]).toEqual([A, [[A], A]]);
  });

  it('is found when another process completes it and records an event meanwhile', async () => {
    await agree();
    store.loseRecord();
    const readAll: IdentityPorts['log']['readAll'] = (after, limit) => {
      store.setDatabase(A);
      store.addEvent();
      return store.ports.log.readAll(after, limit);
    };
    expect(await agree({ log: { ...store.ports.log, readAll } })).toBe(A);
  });

  it.each([
    ['the log is lost', () => store.loseLog(), /EVENTSTOREDB_URL carries none.*Restore EventStoreDB's backup/],
    ['the database is lost', () => store.loseDatabase(), /the log carries the store id .*Restore MongoDB's backup/],
    ['the database is another store’s', () => store.setDatabase(B), new RegExp(`store id ${A}.*store id ${B}.*Restore|restore`)],
  ])('is refused when %s', async (_, lose, words) => {
    await agree();
    store.addKeys();
    store.addEvent();
    lose();
    await expect(agree()).rejects.toMatchObject({ name: 'NotOneStore', message: expect.stringMatching(words) });
  });

  describe('of an older release', () => {
    it('is made when its keys are there', async () => {
      store.addEvent();
      store.addKeys();
      expect([await agree(), store.ids()]).toEqual([A, [[A], A]]);
    });

    it('is not made without its keys, and nothing is written', async () => {
      store.addEvent();
      await expect(agree()).rejects.toMatchObject({ name: 'NotOneStore', message: expect.stringContaining('no keys of that log') });
      expect(store.ids()).toEqual([[], null]);
    });

    it('is not made with keys that do not open what is sealed, and nothing is written', async () => {
      for (let count = 0; count < 1_500; count++) store.addEvent();
      store.addEvent('{"payer":{"$sealed":"AAAA","subject":"payment:1"}}');
      store.addKeys();
      await expect(agree()).rejects.toMatchObject({ name: 'NotOneStore' });
      expect(store.ids()).toEqual([[], null]);
    });
  });

  it('is carried over with a copy, also one that is begun again, and not over another store', async () => {
    await carryStoreId(store.ports, B);
    await carryStoreId(store.ports, B);
    expect([await agree(), store.ids()]).toEqual([B, [[B], B]]);
    await expect(carryStoreId(store.ports, A)).rejects.toMatchObject({ name: 'NotOneStore', message: expect.stringContaining(B) });
    store.loseRecord();
    await expect(carryStoreId(store.ports, A)).rejects.toMatchObject({ name: 'NotOneStore', message: expect.stringContaining(B) });
  });

  it('must be there for whoever needs the database alone', async () => {
    await expect(storeIdInDatabase(store.ports)).rejects.toMatchObject({ name: 'NotOneStore' });
    await agree();
    expect(await storeIdInDatabase(store.ports)).toBe(A);
  });
});
