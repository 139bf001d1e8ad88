import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it, jest } from '@jest/globals';
import { openEventStore } from '../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import type { EventBatch, EventStore, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { startProtocolServer, type ProtocolServer } from '../servers/eventstoredb/protocol-server.js';
import { encodedEvent, eventStoreContract, type EventStoreUnderTest } from './event-store.contract.js';

// Every event goes over the network, and 64 concurrent writers cause about a thousand conflicts.
jest.setTimeout(60_000);

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens a store that uses only streams with its own prefix, and reads only events from now on. */
const openIsolatedStore = async (url: string): Promise<EventStoreUnderTest> => {
  const prefix = `test-${randomUUID()}-`;
  const everything = await openEventStore({ url, clock: systemClock, log });
  const start = await everything.lastPosition();
  await everything.close();
  const store = await openEventStore({ url, clock: systemClock, log, streams: [prefix] });
  const stripPrefix = (events: readonly StoredEvent[]): readonly StoredEvent[] =>
    events.map((event) => ({ ...event, stream: event.stream.slice(prefix.length) }));
  const part: EventStore = {
    append: (stream, expected, events) => store.append(prefix + stream, expected, events),
    readStream: async (stream, from, limit) => stripPrefix(await store.readStream(prefix + stream, from, limit)),
    readAll: async (after, limit) => stripPrefix(await store.readAll(Math.max(after, start), limit)),
    async *subscribe(after, signal): AsyncIterable<EventBatch> {
      for await (const { events, caughtUp } of store.subscribe(Math.max(after, start), signal))
        yield { events: stripPrefix(events), caughtUp };
    },
  };
  return { store: part, close: () => store.close() };
};

eventStoreContract('EventStoreDB by its protocol', async () => {
  const server = await startProtocolServer(':memory:');
  const store = await openEventStore({ url: server.url, clock: systemClock, log });
  return { store, close: () => store.close().then(() => server.close()) };
});

describe('with other data on the server', () => {
  let server: ProtocolServer;
  beforeAll(async () => {
    server = await startProtocolServer(':memory:');
    const store = await openEventStore({ url: server.url, clock: systemClock, log });
    for (const stream of ['other-1', '$settings', 'other-2']) await store.append(stream, 'none', [encodedEvent(), encodedEvent()]);
    await store.close();
  });
  afterAll(() => server.close());

  eventStoreContract('EventStoreDB by its protocol', () => openIsolatedStore(server.url));
});

const { EVENTSTOREDB_URL: url } = process.env;
if (url) eventStoreContract('a real EventStoreDB', () => openIsolatedStore(url));
else it.skip('a real EventStoreDB: set EVENTSTOREDB_URL', () => undefined);
