import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { runProgram } from '../servers/program.js';
import { DEPLOY, exampleVariables, readCompose, readVariables, substituteVariables } from './deploy-files.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-prepare-'));
afterAll(() => rmSync(folder, { recursive: true }));

const prepare = () => runProgram(join(DEPLOY, 'prepare.sh'), [folder]);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const variables = (): Readonly<Record<string, string>> => readVariables(read('.env'));

let output: string;
beforeAll(async () => {
  const { code, stdout, stderr } = await prepare();
  expect([code, stderr]).toEqual([0, '']);
  output = stdout;
});

describe('deploy/prepare.sh', () => {
  it('prints what it created', () => expect(output).toBe(`created ${folder}/.env\ncreated ${folder}/secrets\n`));

  it('sets every variable, each secret to a different value', () => {
    expect(Object.keys(variables())).toEqual(Object.keys(exampleVariables()));
    const values = Object.values(variables());
    expect(values.filter((value) => value === '')).toEqual([]);
    expect(new Set(values).size).toBe(values.length);
  });

  it('generates a key of 32 bytes, and passwords that are valid in a URL', () => {
    const { KEY_ENCRYPTION_KEY = '', PUBLIC_URL, ...passwords } = variables();
    expect(Buffer.from(KEY_ENCRYPTION_KEY, 'base64')).toHaveLength(32);
    expect(PUBLIC_URL).toBe(exampleVariables()['PUBLIC_URL']);
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[\da-f]{64}$/);
  });

  it('creates files that only their owner can read', () => {
    for (const name of ['.env', 'secrets']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  });

  it('creates a certificate for EventStoreDB and deletes the key of its authority', () => {
    const authority = new X509Certificate(read('secrets/ca/ca.crt'));
    const node = new X509Certificate(read('secrets/eventstoredb/node.crt'));
    expect([authority.ca, node.ca]).toEqual([true, false]);
    expect(node.verify(authority.publicKey)).toBe(true);
    expect(node.subject).toBe('CN=eventstoredb-node');
    expect(() => read('secrets/ca.key')).toThrow('ENOENT');
  });

  it.each(['eventstoredb', 'localhost'])('creates a certificate that a client trusts under the name %s', async (servername) => {
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

  it('creates addresses that the clients of EventStoreDB and MongoDB accept', async () => {
    const { volumes = [], environment = {} } = readCompose().services['api-1'] ?? {};
    const inContainer = volumes[0]?.split(':')[1] ?? '';
    const address = (name: string): string =>
      substituteVariables(String(environment[name]), variables()).replace(inContainer, join(folder, 'secrets/ca'));
    const store = EventStoreDBClient.connectionString(address('EVENTSTOREDB_URL'));
    await store.dispose();
    const { hosts, credentials, replicaSet } = new MongoClient(address('MONGODB_URL')).options;
    expect(hosts.map(String)).toEqual(['mongodb-1:27017', 'mongodb-2:27017', 'mongodb-3:27017']);
    expect([credentials?.username, credentials?.source, replicaSet]).toEqual(['petstore', 'petstore', 'rs0']);
  });

  it('does not change existing files', async () => {
    const before = [read('.env'), read('secrets/eventstoredb/node.key')];
    const { code, stdout } = await prepare();
    expect([code, stdout]).toEqual([0, '']);
    expect([read('.env'), read('secrets/eventstoredb/node.key')]).toEqual(before);
  });
});
