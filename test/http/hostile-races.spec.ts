import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStore, type TestStore } from '../servers/store.js';

let store: TestStore;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

/** Sends requests in one go on one connection, as no polite client does; answers the statuses in order. */
const pipelined = (url: string, requests: readonly string[]): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(requests.join('')));
    let text = '';
    socket.setEncoding('utf8').on('error', reject);
    socket.on('data', (chunk: string) => {
      text += chunk;
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      if (statuses.length < requests.length) return;
      socket.destroy();
      resolve(statuses);
    });
  });

const registration = (url: string, token: string, nth: number): string => {
  const body = JSON.stringify({ url: `https://shop.example.com/${nth}`, events: ['pet.adopted'] });
  const head = ['POST /v1/webhooks HTTP/1.1', `Host: ${new URL(url).host}`, `Authorization: Bearer ${token}`];
  return [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n');
};

describe('webhook endpoints', () => {
  it('500 registrations in one go: 50 are made', async () => {
    const token = await store.token('write:webhooks', { tenant: randomUUID() });
    const requests = Array.from({ length: 500 }, (_, nth) => registration(store.url, token, nth));
    const statuses = await pipelined(store.url, requests);
    expect(Object.fromEntries([...Map.groupBy(statuses, String)].map(([status, { length }]) => [status, length]))).toEqual({
      201: 50,
      409: 450,
    });
    const { json } = await store.request<{ pagination: { totalItems: number } }>('GET', '/v1/webhooks', { token });
    expect(json.pagination.totalItems).toBe(50);
  }, 60_000);
});
