import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEventStore, type EventStoreDb } from '../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { isRealEventStore } from '../servers/services/event-store.js';
import { isMissing, sharedEventStore } from '../servers/services/shared.js';
import { startProtocolServer, type ProtocolServer } from '../servers/eventstoredb/protocol-server.js';
import { newNamespace } from '../servers/new-namespace.js';
import { encodedEvent, eventStoreContract, type EventStoreUnderTest } from './event-store.contract.js';
import { silentLog } from '../silent-log.js';

/**
 * Opens an event store that waits 20 s for a response. While 64 writers compete, the test process and the server can be busy for
 * longer than the default timeout, which is chosen for outages.
 */
const openPatientStore = (url: string, namespace = ''): Promise<EventStoreDb> =>
  openEventStore({ url, namespace, timeout: 20_000, clock: systemClock, log: silentLog });

/** Opens an event store in a new namespace. */
const openIsolatedStore = async (url: string): Promise<EventStoreUnderTest> => {
  const store = await openPatientStore(url, newNamespace());
  return { store, close: () => store.close() };
};

eventStoreContract('EventStoreDB by its protocol', async () => {
  const server = await startProtocolServer(':memory:');
  const store = await openPatientStore(server.url);
  return { store, close: () => store.close().then(() => server.close()) };
});

describe('with other data on the server', () => {
  let server: ProtocolServer;
  beforeAll(async () => {
    server = await startProtocolServer(':memory:');
    const store = await openPatientStore(server.url);
    for (const stream of ['other-1', '$settings', 'other-2']) await store.append(stream, 'none', [encodedEvent(), encodedEvent()]);
    await store.close();
  });
  afterAll(() => server.close());

  eventStoreContract('EventStoreDB by its protocol', () => openIsolatedStore(server.url));
});

describe('a server on this machine', () => {
  const variables = ['http_proxy', 'grpc_proxy', 'no_proxy', 'no_grpc_proxy'];
  const before = variables.map((name) => [name, process.env[name]] as const);
  afterAll(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it('is reached without the proxy of the environment, whose list of exceptions stays valid', async () => {
    const seen: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      seen.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    process.env['http_proxy'] = process.env['grpc_proxy'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    process.env['no_proxy'] = 'log.example.com';
    // An earlier test has set it.
    delete process.env['no_grpc_proxy'];
    const server = await startProtocolServer(':memory:');
    const store = await openPatientStore(server.url);
    try {
      await store.append('pet-1', 'none', [encodedEvent()]);
      expect(seen).toEqual([]);
      expect(process.env['no_grpc_proxy']?.split(',')).toContain('log.example.com');
    } finally {
      await store.close();
      await server.close();
      proxy.close();
    }
  });
});

const found = await sharedEventStore();
const isReal = !isMissing(found) && isRealEventStore(found.version);

describeIfAvailable('EventStoreDB', found, ({ url, version }) => {
  eventStoreContract(isReal ? 'EventStoreDB' : `no EventStoreDB, but a ${version}`, () => openIsolatedStore(url));
});
if (!isMissing(found) && !isReal) it.skip(`EventStoreDB does not run: the server is a ${found.version}`, () => undefined);
