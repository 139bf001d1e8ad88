import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { ensureStoreId, copyStoreId, STORE_STREAM, storeIdInDatabase, type IdentityPorts, type StoreRecord } from './store-identity.js';

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

/** Creates the servers of a store in memory. `readAll` does not return the event with the store's id. */
const servers = () => {
  const idEvents: string[] = [];
  const events: StoredEvent[] = [];
  let inDatabase: StoreRecord | null = null;
  const serviceKeys = new Set<string>();
  let made = 0;
  const ports: IdentityPorts = {
    log: {
      async append(stream, expected, [event]) {
        if (stream !== STORE_STREAM || expected !== 'none') throw new Error('only the id may be written');
        if (idEvents.length > 0) return { kind: 'conflict', actual: 0 };
        idEvents.push(event?.data ?? '');
        return { kind: 'appended', revision: 0, position: 1 };
      },
      readStream: async (stream) => (stream === STORE_STREAM ? idEvents.map((data) => stored(stream, data, 1)) : []),
      readAll: async (after, limit) => events.filter(({ position }) => position > after).slice(0, limit),
    },
    records: { recordOnce: async (_, record) => (inDatabase ??= record), get: async () => inDatabase },
    keys: { lookUp: async (kind, name) => (kind === 'service' && serviceKeys.has(name) ? new Uint8Array(32) : undefined) },
    newId: () => [A, B][made++] ?? '',
  };
  return {
    ports,
    ids: () => [idEvents.map((data) => (JSON.parse(data) as StoreRecord).storeId), inDatabase?.storeId ?? null],
    addEvent: (data = '{}') => void events.push(stored('pet-1', data, events.length + 2)),
    addKeys: () => void serviceKeys.add('idempotency'),
    loseLog: () => void ([idEvents.length, events.length] = [0, 0]),
    loseDatabase: () => (serviceKeys.clear(), (inDatabase = null)),
    loseRecord: () => (inDatabase = null),
    setDatabase: (storeId: string) => (inDatabase = { storeId }),
  };
};

describe('the id of a store on several machines', () => {
  let store: ReturnType<typeof servers>;
  const agree = (ports: Partial<IdentityPorts> = {}) => ensureStoreId({ ...store.ports, ...ports });
  beforeEach(() => void (store = servers()));

  it('is created once, in the log and in the database', async () => {
    expect([await agree(), await agree(), store.ids()]).toEqual([A, A, [[A], A]]);
  });

  it('is the same when two processes create it at once', async () => {
    expect(await Promise.all([agree(), agree()])).toEqual([A, A]);
    expect(store.ids()).toEqual([[A], A]);
  });

  it('is written to the database if a process crashed after it wrote it to the log', async () => {
    await agree();
    store.loseRecord();
    expect([await agree(), store.ids()]).toEqual([A, [[A], A]]);
  });

  it('is found when another process writes it to the database and appends an event meanwhile', async () => {
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
    ['the log is lost', () => store.loseLog(), /EVENTSTOREDB_URL has none.*Restore EventStoreDB's backup/],
    ['the database is lost', () => store.loseDatabase(), /the log has the store id .*Restore MongoDB's backup/],
    ['the database belongs to another store', () => store.setDatabase(B), new RegExp(`store id ${A}.*store id ${B}.*Restore|restore`)],
  ])('is rejected when %s', async (_, lose, words) => {
    await agree();
    store.addKeys();
    store.addEvent();
    lose();
    await expect(agree()).rejects.toMatchObject({ name: 'StoreMismatch', message: expect.stringMatching(words) });
  });

  describe('of an older release', () => {
    it('is created if its keys exist', async () => {
      store.addEvent();
      store.addKeys();
      expect([await agree(), store.ids()]).toEqual([A, [[A], A]]);
    });

    it('is not created without its keys, and nothing is written', async () => {
      store.addEvent();
      await expect(agree()).rejects.toMatchObject({ name: 'StoreMismatch', message: expect.stringContaining('nor the keys of that log') });
      expect(store.ids()).toEqual([[], null]);
    });

    it('is not created with keys that do not open the sealed values, and nothing is written', async () => {
      for (let count = 0; count < 1_500; count++) store.addEvent();
      store.addEvent('{"payer":{"$sealed":"AAAA","subject":"payment:1"}}');
      store.addKeys();
      await expect(agree()).rejects.toMatchObject({ name: 'StoreMismatch' });
      expect(store.ids()).toEqual([[], null]);
    });
  });

  it('can be copied repeatedly, but never over the id of another store', async () => {
    await copyStoreId(store.ports, B);
    await copyStoreId(store.ports, B);
    expect([await agree(), store.ids()]).toEqual([B, [[B], B]]);
    await expect(copyStoreId(store.ports, A)).rejects.toMatchObject({ name: 'StoreMismatch', message: expect.stringContaining(B) });
    store.loseRecord();
    await expect(copyStoreId(store.ports, A)).rejects.toMatchObject({ name: 'StoreMismatch', message: expect.stringContaining(B) });
  });

  it('must exist for callers that need only the database', async () => {
    await expect(storeIdInDatabase(store.ports)).rejects.toMatchObject({ name: 'StoreMismatch' });
    await agree();
    expect(await storeIdInDatabase(store.ports)).toBe(A);
  });
});
