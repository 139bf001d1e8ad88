import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { closeWithin } from '../../apps/petstore/running/close-within.js';
import { serveHealth } from '../../apps/worker/health.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await endPrograms();
  removeFolders();
});

/** Opens a connection that sends a text and reads nothing. */
const connectTo = async (url: string, text: string): Promise<Socket> => {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

/** More responses than the buffers of a connection can contain: the service must wait until the client reads them. */
const MANY_RESPONSES = 200;

/** Proves contract 26.4. */
describe('a service that receives a stop signal', () => {
  it('closes busy connections after STOP_WAIT and logs their number', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir, env: { STOP_WAIT: '300ms' } });
    const { host } = new URL(service.url);
    const wholeRequest = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const unread = await connectTo(service.url, `${wholeRequest.repeat(MANY_RESPONSES)}GET /v1/pets HTTP`);
    await once(unread, 'readable');
    const headers = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n`;
    const halfSent = await connectTo(service.url, `POST /v1/orders HTTP/1.1\r\n${headers}\r\n`);
    halfSent.resume();
    await once(halfSent, 'data');
    const begun = performance.now();
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(10_000);
    const lines = service.stderr().match(/"connections":\d+/g);
    expect(lines).toEqual(['"connections":2']);
  });

  it('does not wait when no connection is busy', async () => {
    const service = await startServiceProcess({ dataDir: newFolder(), env: { STOP_WAIT: '1h' } });
    expect((await fetch(`${service.url}/v1/pets`)).status).toBe(200);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.stderr()).not.toContain('"connections"');
  });
});

/** Proves contract 26.4. */
describe('the port of a worker', () => {
  it('is closed with its busy connections after STOP_WAIT', async () => {
    const logged: string[] = [];
    const log = pino({}, { write: (line: string) => void logged.push(line) });
    const clock = manualClock();
    const health = await serveHealth({ host: '127.0.0.1', port: 0, state: () => new Promise(() => undefined) });
    const socket = await connectTo(health.url, 'GET /health/ready HTTP/1.1\r\nHost: worker\r\n\r\n');
    socket.resume();
    await eventually('the request', () => socket.bytesWritten > 0);
    await once(health.server, 'request');
    const stopped = closeWithin({ server: health.server, within: 25_000, clock, log }, () => health.stop());
    clock.advance(24_999);
    expect(logged).toEqual([]);
    clock.advance(1);
    await stopped;
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ connections: 1, stopWaitMilliseconds: 25_000 });
  });
});
