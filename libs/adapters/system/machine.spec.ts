import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { certificateEnd, diskOf, whyNotListening } from './machine.js';

const CERTIFICATES = ['expired', 'receiver'] as const;
const pem = (name: string): string => readFileSync(`test/contract/certificates/${name}.pem`, 'utf8');

const servers: Server[] = [];
const portOf = (server: Pick<Server, 'address'> | undefined): number => (server?.address() as AddressInfo).port;

beforeAll(async () => {
  for (const name of CERTIFICATES) {
    const server = createServer({ cert: pem(name), key: pem(`${name}.key`) });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
  }
});
afterAll(() => void servers.forEach((server) => server.close()));

describe('this machine', () => {
  it('reads when the certificate of a server ends, also one that has expired', async () => {
    for (const [nth, name] of CERTIFICATES.entries())
      expect(await certificateEnd('127.0.0.1', portOf(servers[nth]))).toEqual(new Date(new X509Certificate(pem(name)).validTo));
    const plain = createPlainServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    expect(await certificateEnd('127.0.0.1', portOf(plain as Server))).toBeNull();
    plain.close();
  });

  it('knows which ports are taken', async () => {
    expect(await whyNotListening('127.0.0.1', portOf(servers[0]))).toBe('EADDRINUSE');
    expect(await whyNotListening('127.0.0.1', 0)).toBeNull();
  });

  it('knows the space of a disk', async () => {
    const { freeBytes, bytes } = await diskOf('.');
    expect([freeBytes > 0, freeBytes <= bytes]).toEqual([true, true]);
  });
});
