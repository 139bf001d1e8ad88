import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { exchangeRaw } from '../http/raw-http.js';
import { statusesOf } from '../http/pipelining.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { holdRequest } from '../servers/held-request.js';
import { startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const request = (method: string, path: string, body?: object, headers = ''): string => {
  const bytes = body ? JSON.stringify(body) : '';
  const ofBody = body ? `Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}${ofBody}\r\n${bytes}`;
};

/** A connection that has had a response and is kept. */
type Kept = { readonly socket: Socket; send(text: string): void; received(): string; readonly closed: Promise<unknown> };

const keepConnection = async (url: string): Promise<Kept> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(request('GET', '/health/live'));
  await eventually('the first response', () => text.endsWith('}'));
  text = '';
  return { socket, send: (more) => void socket.write(more), received: () => text, closed: once(socket, 'close') };
};

const PET = { name: 'Luna', species: 'CAT', ageMonths: 3 };

/** Proves contract 26.4. */
describe('a service that receives a stop signal', () => {
  it('answers what arrives on kept connections within a second, with Connection: close, and is not ready', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir);
    const authorization = `Authorization: Bearer ${token}\r\n`;
    const kept = await Promise.all(Array.from({ length: 3 }, () => keepConnection(service.url)));
    const [posting, probing, pipelining] = kept as [Kept, Kept, Kept];
    const idle = await keepConnection(service.url);
    const held = await holdRequest(service.url, '/v1/pets', token, PET);

    const begun = performance.now();
    service.signal('SIGTERM');
    await eventually('the log line of the stop', () => /stopping/.test(service.stderr()));
    posting.send(request('POST', '/v1/pets', PET, authorization));
    probing.send(request('GET', '/health/ready'));
    pipelining.send(request('POST', '/v1/pets', PET, authorization) + request('GET', '/v1/pets') + request('GET', '/health/live'));
    await expect(exchangeRaw(service.url, request('GET', '/v1/pets'))).rejects.toThrow('ECONNREFUSED');
    await Promise.all(kept.map(({ closed }) => closed));
    expect(idle.socket.closed).toBe(false);
    await idle.closed;
    expect(performance.now() - begun).toBeGreaterThan(950);

    expect(statusesOf(posting.received())).toEqual([201]);
    expect(posting.received().toLowerCase()).toContain('connection: close');
    expect(statusesOf(probing.received())).toEqual([503]);
    expect(probing.received()).toContain('the service is stopping');
    expect(statusesOf(pipelining.received())).toEqual([201, 200, 200]);
    expect(
      pipelining
        .received()
        .toLowerCase()
        .match(/connection: close/g),
    ).toHaveLength(1);
    expect(await held.finish()).toBe(201);
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });

  it('does not wait for a connection that a browser has opened in advance', async () => {
    const service = await startServiceProcess({ dataDir: newFolder(), env: { STOP_WAIT: '1h' } });
    const { hostname, port } = new URL(service.url);
    const unused = connect(Number(port), hostname);
    await once(unused, 'connect');
    const closed = once(unused, 'close');
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await closed;
  });

  it('ends at once when no connection is open, and within STOP_WAIT otherwise', async () => {
    const alone = await startServiceProcess({ dataDir: newFolder(), env: { STOP_WAIT: '1h' } });
    expect(await alone.stop()).toEqual({ code: 0, signal: null });
    const kept = await startServiceProcess({ dataDir: newFolder(), env: { STOP_WAIT: '0s' } });
    const idle = await keepConnection(kept.url);
    expect(await kept.stop()).toEqual({ code: 0, signal: null });
    await idle.closed;
  });
});
