import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AskAdvisor, type AnswerPart } from '../../../libs/application/chat/ask-advisor.query.js';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { ApiOptions } from '../api.js';
import { kindOf, runningApi, type RunningApi } from '../testing/running-api.fixtures.js';

const TOKEN = { authorization: 'Bearer chatting' };
const tokens: ApiOptions['tokens'] = {
  verify: () => ({ subject: 'ann', scopes: new Set(['chat:write']) }),
  sign: async () => 'chatting',
  issuer: () => 'petstore',
  readIdToken: async () => null,
};
const SECRET = 'my dog is called Secretive';
const END: AnswerPart = { kind: 'end', finishReason: 'STOP', tokens: 1 };
const WORD: AnswerPart = { kind: 'text', text: 'Hello' };

let api: RunningApi;
afterEach(() => api.app.close());

/** Starts the API with an advisor whose answer has these parts. */
const given = async (
  parts: (signal: AbortSignal) => AsyncGenerator<AnswerPart, undefined>,
  limits: ApiOptions['limits'] = {},
): Promise<void> => {
  api = await runningApi({}, { tokens, limits });
  api.application.setHandler(AskAdvisor, ({ signal }) => ({
    id: 'chatcmpl_1',
    created: 1,
    parts: parts(signal),
    countPrompt: async () => 5,
  }));
};

const ask = (stream: boolean) =>
  api.inject({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: TOKEN,
    payload: { messages: [{ role: 'user', content: SECRET }], stream },
  });

/** Proves contract 41.3 and 41.8. */
describe('an answer of the chat', () => {
  it('that fails before its first part is a problem document, streamed or not', async () => {
    for (const stream of [true, false]) {
      await given(async function* () {
        yield* [];
        throw new StoreUnavailable('down');
      });
      const response = await ask(stream);
      expect([response.statusCode, kindOf(response)]).toEqual([503, 'temporarily-unavailable']);
      expect(response.headers['retry-after']).toBe('5');
      if (stream) await api.app.close();
    }
  });

  it('that fails later ends its stream with an error event, without [DONE]', async () => {
    await given(async function* () {
      yield WORD;
      throw new StoreUnavailable('down');
    });
    const { statusCode, payload } = await ask(true);
    expect(statusCode).toBe(201);
    const [error = '', data = ''] = payload.split('\n\n').at(-2)?.split('\n') ?? [];
    expect(error).toBe('event: error');
    expect(JSON.parse(data.replace('data: ', ''))).toEqual({
      type: 'https://pets.test/errors/temporarily-unavailable',
      title: 'Temporarily unavailable',
      status: 503,
      detail: expect.any(String),
      instance: '/v1/chat/completions',
    });
    expect(payload).not.toContain('[DONE]');
  });

  it('that fails is logged without the contents of the chat', async () => {
    await given(async function* () {
      yield WORD;
      throw new Error('broken');
    });
    await ask(true);
    expect(api.logged.filter((line) => line.includes('broken'))).toHaveLength(1);
    expect(api.logged.join('')).not.toContain('Secretive');
    expect(api.logged.join('')).not.toContain(WORD.kind === 'text' ? WORD.text : '');
  });
});

const listen = async (): Promise<number> => {
  await api.app.listen(0, '127.0.0.1');
  return Number(new URL(await api.app.getUrl()).port);
};

const requestText = (stream: boolean): string => {
  const body = JSON.stringify({ messages: [{ role: 'user', content: SECRET }], stream });
  const headers = ['Host: localhost', 'Authorization: Bearer chatting', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return `POST /v1/chat/completions HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
};

/** Proves contract 41.6. */
describe('a client of the chat', () => {
  it.each([true, false])(
    'that disconnects stops the work for its answer (stream: %s), and nothing is logged as a failure',
    async (stream) => {
      const [started, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await given(async function* (signal) {
        yield WORD;
        started.resolve();
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted.resolve();
            reject(signal.reason as Error);
          }),
        );
        yield END;
        return undefined;
      });
      const client = connect(await listen(), '127.0.0.1');
      client.write(requestText(stream));
      await started.promise;
      client.destroy();
      await aborted.promise;
      await api.app.close();
      expect(api.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
    },
  );

  it('that does not read is disconnected after a time without traffic', async () => {
    await given(
      async function* () {
        for (let count = 0; count < 10_000; count++) yield { kind: 'text', text: 'x'.repeat(65_536) };
        yield END;
        return undefined;
      },
      { connectionMilliseconds: 300 },
    );
    const client = connect(await listen(), '127.0.0.1');
    client.pause();
    client.write(requestText(true));
    const [socket] = await new Promise<readonly [{ once(event: 'close', done: () => void): void }]>((resolve) =>
      api.app.getHttpServer().once('request', ({ socket: accepted }: { socket: never }) => resolve([accepted])),
    );
    await new Promise<void>((resolve) => socket.once('close', resolve));
    client.destroy();
  });
});
