import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProtocolServer, type ProtocolServer } from '../eventstoredb/protocol-server.js';
import { usesContainers } from './container.js';
import { describeEventStore, isRealEventStore, readEventStoreVersion } from './event-store.js';
import { startMongod } from './mongod.js';

describe('a server', () => {
  const variables = { ...process.env };
  afterEach(() => void (process.env = { ...variables }));

  it('comes from a container only if the environment requires it', async () => {
    delete process.env['PETSTORE_TEST_SERVERS'];
    expect(await usesContainers({})).toBe(false);
  });

  describe('on a container engine without images', () => {
    const requests: string[] = [];
    let engine: Server;

    beforeAll(async () => {
      engine = createServer(({ method, url = '' }, response) => {
        requests.push(`${method} ${url.replace(/^\/v[\d.]+/, '')}`);
        response.setHeader('content-type', 'application/json');
        if (url.endsWith('/info')) return void response.end('{}');
        response.writeHead(404).end('{"message":"no such image"}');
      }).listen(0, '127.0.0.1');
      await once(engine, 'listening');
    });
    beforeEach(() => {
      process.env['PETSTORE_TEST_SERVERS'] = 'containers';
      process.env['DOCKER_HOST'] = `tcp://127.0.0.1:${(engine.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      engine.closeAllConnections();
      engine.close();
    });

    it('is reported as missing with the name of its image, and nothing is pulled', async () => {
      await expect(startMongod()).rejects.toMatchObject({
        name: 'ServerMissing',
        message: expect.stringMatching(/^the image mongo:\d+\.\d+\.\d+ is missing/),
      });
      expect(requests).toContainEqual(expect.stringMatching(/^GET \/images\/mongo:/));
      expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    });

    it('comes from no container, if its data must remain', async () => {
      expect([await usesContainers({}), await usesContainers({ isKept: true })]).toEqual([true, false]);
    });
  });
});

describe('the server that speaks the protocol of EventStoreDB', () => {
  let server: ProtocolServer;
  beforeAll(async () => void (server = await startProtocolServer(':memory:')));
  afterAll(() => server.close());

  it('reports that it is a stand-in, so it never counts as EventStoreDB', async () => {
    const version = await readEventStoreVersion(server.url);
    expect(isRealEventStore(version)).toBe(false);
    expect(describeEventStore(version, 'local')).toMatch(/^stand-in .*not EventStoreDB\), local$/);
    expect(describeEventStore('24.10.14', 'local')).toBe('EventStoreDB 24.10.14, local');
  });
});
