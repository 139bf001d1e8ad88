import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { printLine } from '../print-line.js';
import { createClient } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

const CLIENTS = 500;
const READS = 2_000;
const MAX_MEBIBYTES = 50;
const BODY = JSON.stringify({ messages: [{ role: 'user', content: 'Which dogs do you have?' }] });

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await endPrograms();
  removeFolders();
});

/** Proves contract 41.6. The service runs in its own process, so that its memory does not include the clients. */
describe('a service with 500 chat clients that stop reading', () => {
  it('needs little more memory, and answers other clients', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir, 'chat:write write:pets');
    const client = createClient(service.url);
    const mebibytes = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1_024;
    const p99 = async (): Promise<number> => {
      const times: number[] = [];
      for (let read = 0; read < READS; read++) {
        const begun = performance.now();
        await client.send('GET', '/v1/pets?limit=5');
        times.push(performance.now() - begun);
      }
      return times.toSorted((a, b) => a - b)[Math.floor(READS * 0.99)] ?? Infinity;
    };
    for (let pet = 0; pet < 50; pet++)
      await client.send('POST', '/v1/pets', {
        token,
        body: { name: 'Luna', species: 'DOG', ageMonths: pet, description: 'x '.repeat(300) },
      });
    // The first chats let the heap grow to the size that concurrent answers need.
    // Later chats do not increase it.
    for (let round = 0; round < 2; round++)
      await Promise.all(Array.from({ length: CLIENTS }, () => client.send('POST', '/v1/chat/completions', { token, raw: BODY })));
    await p99();
    const before = { p99: await p99(), memory: mebibytes() };
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
    for (let nth = 0; nth < CLIENTS; nth++) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause();
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`);
      sockets.push(socket);
    }
    // Chats are answered in the order of their arrival. After this answer, all 500 answers wait for their clients.
    await client.send('POST', '/v1/chat/completions', { token, raw: BODY });
    const during = { p99: await p99(), memory: mebibytes() };
    client.close();
    printLine(
      `500 clients that do not read: +${(during.memory - before.memory).toFixed(1)} MiB, p99 ${before.p99.toFixed(2)} → ${during.p99.toFixed(2)} ms`,
    );
    expect(during.memory - before.memory).toBeLessThan(MAX_MEBIBYTES);
  });
});
