import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStoreDb } from '../../libs/adapters/eventstoredb/index.js';
import { STREAM_PREFIXES } from '../../libs/domain/events.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { openStores, type OpenedStores } from '../servers/eventstoredb/opened-stores.js';
import { encodedEvent } from './event-store.contract.js';

const NAMESPACES = ['', 'shop', 'shop2', 'pet'] as const;

/** Proves contract 24.10. */
describe('stores in different namespaces of one EventStoreDB', () => {
  let opened: OpenedStores;
  /** A store without a namespace. It reads every stream by the name that the stream has on the server. */
  let server: EventStoreDb;
  let stores: ReadonlyMap<string, EventStoreDb>;
  beforeEach(async () => {
    opened = await openStores();
    server = opened.store;
    stores = new Map(
      await Promise.all(
        NAMESPACES.map(async (namespace) => [namespace, await opened.open({ namespace, streams: STREAM_PREFIXES })] as const),
      ),
    );
    for (const stream of ['invoice-1', 'shop-pet-1', 'shop', 'shop.invoice-1', '$settings', 'xpet-1'])
      await server.append(stream, 'none', [encodedEvent('Foreign')]);
    for (const [namespace, store] of stores) {
      await store.append('store', 'none', [encodedEvent('StoreNamed')]);
      await store.append('pet-1', 'none', [encodedEvent(`First of ${namespace}`)]);
      await store.append('order-1', 'none', [encodedEvent(`Second of ${namespace}`)]);
    }
    await server.append('pets-1', 'none', [encodedEvent('Foreign')]);
  });
  afterEach(() => opened.close());

  const forEachStore = async (check: (store: EventStoreDb, namespace: string) => Promise<void>): Promise<void> => {
    for (const [namespace, store] of stores) await check(store, namespace);
  };
  const shown = ({ stream, type }: StoredEvent): string => `${stream} ${type}`;

  it('have their own streams with the same names', async () => {
    await forEachStore(async (store, namespace) => {
      expect((await store.readStream('pet-1')).map(shown)).toEqual([`pet-1 First of ${namespace}`]);
      expect(await store.append('pet-1', 'none', [encodedEvent()])).toEqual({ kind: 'conflict', actual: 0 });
    });
    const names = (await server.readAll(0, 100)).filter(({ type }) => type.startsWith('First')).map(({ stream }) => stream);
    expect(names).toEqual(['pet-1', 'shop.pet-1', 'shop2.pet-1', 'pet.pet-1']);
  });

  it('read only their own events, and return stream names without the namespace', () =>
    forEachStore(async (store, namespace) => {
      expect((await store.readAll(0, 100)).map(shown)).toEqual([`pet-1 First of ${namespace}`, `order-1 Second of ${namespace}`]);
      expect(await store.lastPosition()).toBe((await store.readStream('order-1')).at(-1)?.position);
    }));

  it('receive only their own events', () =>
    forEachStore(async (store, namespace) => {
      const stop = new AbortController();
      const received: string[] = [];
      for await (const { events, caughtUp } of store.subscribe(0, stop.signal)) {
        received.push(...events.map(shown));
        if (caughtUp) stop.abort();
      }
      expect(received).toEqual([`pet-1 First of ${namespace}`, `order-1 Second of ${namespace}`]);
    }));

  it('find the outcome of an append whose response was lost', () =>
    forEachStore(async (store) => {
      const event = encodedEvent('Answered late');
      opened.server.faults.nextAppends.push('cut after commit');
      expect(await store.append('pet-2', 'none', [event])).toMatchObject({ kind: 'appended', revision: 0 });
      expect(await store.readStream('pet-2')).toMatchObject([{ id: event.id, stream: 'pet-2' }]);
    }));
});
