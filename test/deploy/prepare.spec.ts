import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { runProgram } from '../servers/program.js';
import { DEPLOY, exampleVariables, filledIn, readCompose, readVariables } from './deploy-files.js';

/** Every test waits for other programs. */
jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'petstore-prepare-'));
afterAll(() => rmSync(folder, { recursive: true }));

const prepare = () => runProgram(join(DEPLOY, 'prepare.sh'), [folder]);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const variables = (): Readonly<Record<string, string>> => readVariables(read('.env'));

let said: string;
beforeAll(async () => {
  const { code, stdout, stderr } = await prepare();
  expect([code, stderr]).toEqual([0, '']);
  said = stdout;
});

describe('deploy/prepare.sh', () => {
  it('says what it made', () => expect(said).toBe(`made ${folder}/.env\nmade ${folder}/secrets\n`));

  it('fills in every variable, each secret with a value of its own', () => {
    expect(Object.keys(variables())).toEqual(Object.keys(exampleVariables()));
    const values = Object.values(variables());
    expect(values.filter((value) => value === '')).toEqual([]);
    expect(new Set(values).size).toBe(values.length);
  });

  it('makes a key of 32 bytes, and passwords that can stand in an address', () => {
    const { KEY_ENCRYPTION_KEY = '', PUBLIC_URL, ...passwords } = variables();
    expect(Buffer.from(KEY_ENCRYPTION_KEY, 'base64')).toHaveLength(32);
    expect(PUBLIC_URL).toBe(exampleVariables()['PUBLIC_URL']);
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[\da-f]{64}$/);
  });

  it('shows them to nobody else', () => {
    for (const name of ['.env', 'secrets']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });

  it('makes a certificate for EventStoreDB that its authority vouches for, and keeps no key to make others', () => {
    const authority = new X509Certificate(read('secrets/ca/ca.crt'));
    const node = new X509Certificate(read('secrets/eventstoredb/node.crt'));
    expect([authority.ca, node.ca]).toEqual([true, false]);
    expect(node.verify(authority.publicKey)).toBe(true);
    expect(node.subject).toBe('CN=eventstoredb-node');
    expect(() => read('secrets/ca.key')).toThrow('ENOENT');
  });

  it.each(['eventstoredb', 'localhost'])('makes one that a client believes under the name %s', async (servername) => {
    const server = createServer({ cert: read('secrets/eventstoredb/node.crt'), key: read('secrets/eventstoredb/node.key') });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect({ host: '127.0.0.1', port, servername, ca: read('secrets/ca/ca.crt') });
    try {
      await once(client, 'secureConnect');
      expect(client.authorized).toBe(true);
    } finally {
      client.destroy();
      server.close();
    }
  });

  it('makes addresses that the clients of EventStoreDB and MongoDB understand', async () => {
    const { volumes = [], environment = {} } = readCompose().services['api-1'] ?? {};
    const inContainer = volumes[0]?.split(':')[1] ?? '';
    const address = (name: string): string =>
      filledIn(String(environment[name]), variables()).replace(inContainer, join(folder, 'secrets/ca'));
    const store = EventStoreDBClient.connectionString(address('EVENTSTOREDB_URL'));
    await store.dispose();
    const { hosts, credentials, replicaSet } = new MongoClient(address('MONGODB_URL')).options;
    expect(hosts.map(String)).toEqual(['mongodb-1:27017', 'mongodb-2:27017', 'mongodb-3:27017']);
    expect([credentials?.username, credentials?.source, replicaSet]).toEqual(['petstore', 'petstore', 'rs0']);
  });

  it('leaves alone what is there', async () => {
    const before = [read('.env'), read('secrets/eventstoredb/node.key')];
    const { code, stdout } = await prepare();
    expect([code, stdout]).toEqual([0, '']);
    expect([read('.env'), read('secrets/eventstoredb/node.key')]).toEqual(before);
  });
});
