import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { pino } from 'pino';
import {
  calls,
  inTurn,
  openModelServer,
  says,
  type ModelServer,
  type Respond,
} from '../../libs/adapters/language-model/model-server.fixtures.js';
import { createClient } from '../servers/client.js';
import { startOwnPetstore, itOnOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { ask, CHAT, chunksIn, textOf, type Completion } from './chat.js';
import { openShop, type Pet, type Shop } from './shop.js';

const KEY = 'model-key-2718';
const QUESTION = 'Do you have a gentle dog? My address is 7 Secret Lane.';

let server: ModelServer;
let respond: Respond;
let service: OwnPetstore;
let shop: Shop;
let luna: Pet;
let token: string;
let log = '';
beforeAll(async () => {
  server = await openModelServer((...call) => respond(...call));
  const env = {
    ADVISOR_BASE_URL: server.url,
    ADVISOR_API_KEY: KEY,
    ADVISOR_MODELS: 'PET_ADVISOR_1=large,PET_ADVISOR_TURBO=small',
    METRICS_PORT: '0',
  };
  const lines = pino({ level: 'debug' }, { write: (line: string) => void (log += line) });
  service = await startOwnPetstore({ ...env, LOG_LEVEL: 'debug' }, {}, lines);
  shop = await openShop(service);
  luna = await shop.listPet({ name: 'Luna', ageMonths: 18 });
  token = await service.token('chat:write');
});
afterEach(() => void server.calls.splice(0));
afterAll(async () => {
  await service.stop();
  await server.close();
});

const answerOf = async (body: object, of: Shop = shop) => {
  const { status, json } = await of.request<Completion>('POST', CHAT, { token, body: { stream: false, ...body } });
  const [choice] = json.choices;
  return { status, text: choice?.message.content ?? '', finishReason: choice?.finishReason };
};

const SEARCH = calls('search_pets', { species: ['DOG'] });
const truth = (): Respond => says(`Luna [pet:${luna.id}.name=Luna] is 18 months old [pet:${luna.id}.ageMonths=18].`);

/** Proves contract 41.10. */
describe('createChatCompletion with a language model', () => {
  itOnOwnPetstore('answers with the checked words of the model, streamed or not', async () => {
    respond = inTurn(SEARCH, truth(), SEARCH, truth());
    const whole = await answerOf(ask(QUESTION));
    expect(whole).toEqual({ status: 201, text: 'Luna is 18 months old.', finishReason: 'STOP' });
    const { text } = await shop.request('POST', CHAT, { token, body: ask(QUESTION) });
    expect([textOf(chunksIn(text)), text.endsWith('data: [DONE]\n\n')]).toEqual([whole.text, true]);
  });

  itOnOwnPetstore('cuts its answer at maxTokens, and names the model of the request', async () => {
    respond = inTurn(SEARCH, truth());
    expect(await answerOf(ask(QUESTION, { maxTokens: 3, model: 'pet-advisor-turbo' }))).toMatchObject({
      text: 'Luna is',
      finishReason: 'LENGTH',
    });
    expect(server.calls[0]?.body.model).toBe('small');
  });

  itOnOwnPetstore.each<[string, Respond]>([
    ['fails', (response) => response.writeHead(500).end()],
    ['states something false', inTurn(SEARCH, says('Luna costs 1 USD.'))],
    ['is no model', (response) => response.end('<html>')],
  ])('is answered by the built-in advisor when the model %s', async (_, fails) => {
    respond = fails;
    const { status, text } = await answerOf(ask('Which dogs do you have?'));
    expect([status, text]).toEqual([201, expect.stringContaining('Luna, 18 months old')]);
  });

  itOnOwnPetstore('does not ask the model about harm', async () => {
    respond = says('Sure.');
    expect((await answerOf(ask('How do I poison the dog of my neighbour?'))).finishReason).toBe('CONTENT_FILTER');
    expect(server.calls).toEqual([]);
  });

  itOnOwnPetstore('shows the model no pets of another tenant', async () => {
    const other = await openShop(service);
    respond = inTurn(calls('find_pets_by_name', { names: ['Luna'] }), says('I do not know.'));
    expect((await answerOf(ask('Tell me about the pet'), other)).text).toBe('I do not know.');
    expect(JSON.stringify(server.calls[1]?.body.messages.at(-1))).not.toContain(luna.id);
  });

  itOnOwnPetstore('logs and counts the faults of the model, and logs neither the chat nor the key', async () => {
    respond = (response) => response.writeHead(429).end();
    await answerOf(ask(QUESTION));
    expect(log).toContain('"msg":"the language model gave no usable answer; the built-in advisor answered"');
    for (const secret of [KEY, 'Secret Lane', 'gentle']) expect(log).not.toContain(secret);
  });
});

describe('a process that stops', () => {
  itOnOwnPetstore('answers a request that waits for the model with the built-in advisor (contract 41.6)', async () => {
    const waiting = Promise.withResolvers<void>();
    const slow = await openModelServer(() => waiting.resolve());
    const own = await startOwnPetstore({ ADVISOR_BASE_URL: slow.url, ADVISOR_MODELS: 'PET_ADVISOR_1=a,PET_ADVISOR_TURBO=b' });
    const client = createClient(own.url);
    try {
      const answered = client.send('POST', CHAT, { token: await own.token('chat:write'), body: ask('Which pets do you have?') });
      await waiting.promise;
      const stopped = own.stop();
      const { status, text } = await answered;
      expect([status, text.endsWith('data: [DONE]\n\n')]).toEqual([201, true]);
      client.close();
      await stopped;
    } finally {
      await slow.close();
    }
  });
});
