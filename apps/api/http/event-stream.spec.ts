import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { sendEventStream } from './event-stream.js';

/** A part of 256 KiB. A few such parts fill the buffers of a connection. */
const LARGE = 'x'.repeat(256 * 1_024);

let server: FastifyInstance;
afterEach(() => server.close());

/** Starts a server that sends these parts as a stream, with a heartbeat every 10 ms. Returns the server's address. */
const serve = (parts: () => AsyncGenerator<string, undefined>): Promise<string> => {
  server = fastify({ forceCloseConnections: true });
  server.get('/', async (_, reply) => {
    const failure = (error: unknown): string => `failed: ${(error as Error).message}`;
    await sendEventStream(reply, 201, { parts: parts(), first: () => 'first,', eventsOf: (part) => `${part},`, last: 'last', failure }, 10);
    return reply;
  });
  return server.listen({ port: 0, host: '127.0.0.1' });
};

/** Proves contract 41.3 and 41.6. */
describe('a stream of events', () => {
  it('has an event before the first part and an event after the last part', async () => {
    const address = await serve(async function* () {
      yield* ['one', 'two'];
      return undefined;
    });
    const response = await fetch(address);
    expect([response.status, await response.text()]).toEqual([201, 'first,one,two,last']);
  });

  it('sends comments while it waits for a part, also for the first part', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const address = await serve(async function* () {
      await promise;
      yield 'one';
      return undefined;
    });
    const response = await fetch(address);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (text.split(': waiting\n\n').length < 4) text += (await reader?.read())?.value ?? '';
    expect(text.replaceAll(': waiting\n\n', '')).toBe('first,');
    resolve(undefined);
    for (let end = false; !end;) {
      const read = await reader?.read();
      text += read?.value ?? '';
      end = read?.done ?? true;
    }
    expect(text.replaceAll(': waiting\n\n', '')).toBe('first,one,last');
  });

  it('ends with the failure, and nothing else, when a part fails', async () => {
    const address = await serve(async function* () {
      yield 'one';
      throw new Error('lost');
    });
    expect(await (await fetch(address)).text()).toBe('first,one,failed: lost');
  });

  it('that fails before its first part has the status of the failure', async () => {
    const address = await serve(async function* () {
      yield* [];
      throw Object.assign(new Error('lost'), { statusCode: 503 });
    });
    expect((await fetch(address)).status).toBe(503);
  });

  it('reads no further parts while its client does not read', async () => {
    let read = 0;
    let isClosed = false;
    const address = await serve(async function* () {
      try {
        for (; read < 1_000; read++) yield LARGE;
      } finally {
        isClosed = true;
      }
      return undefined;
    });
    const client = new AbortController();
    const response = await fetch(address, { signal: client.signal });
    const settle = async (): Promise<number> => {
      for (let before = -1; before !== read;) {
        before = read;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return read;
    };
    const stalledAt = await settle();
    expect(stalledAt).toBeLessThan(100);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let bytes = 0; bytes < 10 * LARGE.length;) {
      const piece = await reader?.read();
      bytes += piece?.value?.length ?? 0;
    }
    expect(await settle()).toBeGreaterThan(stalledAt);
    expect(isClosed).toBe(false);
    client.abort();
  });
});
