import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { calls, inTurn, openModelServer, says, type Respond } from '../../libs/adapters/language-model/model-server.fixtures.js';
import { openCollector, type Collector } from '../servers/collector.js';
import { startStoreWith } from '../servers/test-petstore.js';
import { CHAT } from './chat.js';
import { openShop } from './shop.js';

const OPENAI = '/v1/openai/chat/completions';

/** Texts that only a chat contains, by the place where they are. */
const CANARIES = {
  question: 'quagmire-of-the-question',
  system: 'quagmire-of-the-system',
  earlier: 'quagmire-of-the-assistant',
  role: 'quagmire-of-the-role',
  member: 'quagmire-of-a-member',
  argument: 'quagmire-of-an-argument',
  answer: 'quagmire-of-the-answer',
  falsehood: 'quagmire-of-a-falsehood',
  failure: 'quagmire-of-a-failure',
} as const;

const MESSAGES = [
  { role: 'system', content: CANARIES.system },
  { role: 'assistant', content: CANARIES.earlier },
  { role: 'user', content: `Do you have a dog for ${CANARIES.question}?` },
];

/** Request bodies, each with a canary. The first three get an answer (the third asks for harm). The others are rejected. */
const BODIES: readonly { readonly body?: object; readonly raw?: string }[] = [
  { body: { messages: MESSAGES, stream: false } },
  { body: { messages: MESSAGES, stream: true } },
  { body: { messages: [{ role: 'user', content: `How do I poison a dog, ${CANARIES.question}?` }] } },
  { body: { messages: MESSAGES, temperature: CANARIES.member } },
  { body: { messages: [{ role: CANARIES.role, content: CANARIES.question }] } },
  { raw: `{"messages":[{"role":"user","content":"${CANARIES.question}` },
  { raw: `"${CANARIES.question.repeat(50_000)}"` },
];

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** Sends all chats to a service with a collector. Returns its log, its traces and the statuses by path. */
const chatWith = async (settings: Readonly<Record<string, string>>, collector: Collector) => {
  const service = await startStoreWith({ ...collector.settings, ...settings, LOG_LEVEL: 'trace', RATE_LIMIT: 'off' });
  close = async () => {
    await service.stop();
    await collector.receiver.close();
  };
  const shop = await openShop(service, randomUUID());
  await shop.listPet({ name: 'Luna' });
  const token = await service.token('chat:write');
  const statuses: Record<string, readonly number[]> = {};
  for (const path of [CHAT, OPENAI]) {
    const responses = [];
    for (const request of BODIES) responses.push(await shop.request('POST', path, { token, ...request }));
    statuses[path] = responses.map(({ status }) => status);
  }
  // Spans are sent in the order in which they end, so the span of this request arrives last.
  await shop.request('GET', '/v1/inventories', { token });
  await collector.waitFor('GET /v1/inventories');
  const traces = collector.receiver.received.map(({ body }) => body).join('\n');
  return { log: service.log(), traces, statuses };
};

const STATUSES = { [CHAT]: [201, 201, 201, 422, 422, 400, 413], [OPENAI]: [200, 200, 200, 400, 400, 400, 413] };

/** Expects the log and the traces to contain the paths of the requests, but none of the canaries. */
const expectNothingOf = ({ log, traces }: Awaited<ReturnType<typeof chatWith>>): void => {
  for (const path of [CHAT, OPENAI]) expect([log.includes(path), traces.includes(path)]).toEqual([true, true]);
  for (const canary of ['quagmire', ...Object.values(CANARIES)]) {
    expect(log.split('\n').filter((line) => line.includes(canary))).toEqual([]);
    expect(traces.includes(canary)).toBe(false);
  }
};

const failing: Respond = (response) => response.writeHead(500, CANARIES.failure, { 'x-failure': CANARIES.failure }).end(CANARIES.failure);

/** Proves contract 25.5, contract 25.8 and contract 41.8. */
describe('the contents of a chat', () => {
  it('are in no line of the log and in no trace when the built-in advisor answers', async () => {
    const seen = await chatWith({}, await openCollector());
    expect(seen.statuses).toEqual(STATUSES);
    expectNothingOf(seen);
  });

  // A service logs at most one fault in a while (LOG_INTERVAL), so each kind of fault is tested on a service of its own.
  it.each<[string, Respond]>([
    [
      'answers once, and then states something false',
      inTurn(
        calls('find_pets_by_name', { names: [CANARIES.argument] }),
        says(`I do not know about ${CANARIES.answer}.`),
        says(`Luna costs 1 USD, says ${CANARIES.falsehood}.`),
      ),
    ],
    ['calls an unknown tool, and then fails', inTurn(calls(CANARIES.argument, { [CANARIES.argument]: CANARIES.argument }), failing)],
    ['answers no JSON', (response) => response.end(`<html>${CANARIES.failure}`)],
  ])('are in no line of the log and in no trace when a language model %s', async (_, respond) => {
    const server = await openModelServer(respond);
    const settings = { ADVISOR_BASE_URL: server.url, ADVISOR_MODELS: 'PET_ADVISOR_1=a,PET_ADVISOR_TURBO=b' };
    try {
      const seen = await chatWith(settings, await openCollector());
      expect(seen.statuses).toEqual(STATUSES);
      expect(JSON.stringify(server.calls)).toContain(CANARIES.question);
      expect(seen.log).toContain('the language model gave no usable answer');
      expectNothingOf(seen);
    } finally {
      await server.close();
    }
  });
});
