import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import { eventually } from '../eventually.js';
import { itOnOwnPetstore, startOwnPetstore, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { ask, CHAT, chunksIn, parseEvents, textOf, type Completion } from './chat.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
let token: string;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  await shop.listPet({ name: 'Luna', breed: 'Labrador Retriever', goodWithKids: true, description: 'Knows sit and stay.' });
  await shop.listPet({ name: 'Max', species: 'CAT' });
  token = await service.token('chat:write', { subject: randomUUID() });
});
afterAll(() => service.stop());

const chat = <T = Completion>(body: object, options: RequestOptions = {}): Promise<HttpResponse<T>> =>
  shop.request<T>('POST', CHAT, { token, body, ...options });

const DOG = 'Which dog do you have for a family with children?';

/** Proves contract 41.2. Proves rows of contract 42.2, 42.8, 42.12, 42.17 and 42.19. */
describe('createChatCompletion without a stream', () => {
  it('answers 201 with one JSON object that has every documented field', async () => {
    const { status, headers, json } = await chat(ask(DOG, { stream: false }));
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([201, 'application/json; charset=utf-8', 'no-store']);
    expect(json).toEqual({
      id: expect.stringMatching(/^chatcmpl_[a-z0-9]+$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'PET_ADVISOR_1',
      choices: [{ index: 0, message: { role: 'assistant', content: expect.stringContaining('Luna') }, finishReason: 'STOP' }],
      usage: { promptTokens: 11, completionTokens: expect.any(Number), totalTokens: expect.any(Number) },
    });
    const { promptTokens, completionTokens, totalTokens } = json.usage;
    expect(totalTokens).toBe(promptTokens + completionTokens);
    expect(Math.abs(json.created - Date.now() / 1_000)).toBeLessThan(60);
  });

  it('counts the tokens of all messages', async () => {
    const messages = ['SYSTEM', 'USER', 'ASSISTANT', 'USER'].map((role) => ({ role, content: DOG }));
    expect((await chat({ messages, stream: false })).json.usage.promptTokens).toBe(44);
  });

  it('has the finish reason LENGTH, and exactly maxTokens tokens, when the answer is cut', async () => {
    const whole = (await chat(ask(DOG, { stream: false }))).json;
    for (const maxTokens of [1, 2, 7]) {
      const { choices, usage } = (await chat(ask(DOG, { stream: false, maxTokens }))).json;
      expect([choices[0]?.finishReason, usage.completionTokens]).toEqual(['LENGTH', maxTokens]);
      expect(whole.choices[0]?.message.content.startsWith(choices[0]?.message.content ?? '?')).toBe(true);
    }
    const exact = (await chat(ask(DOG, { stream: false, maxTokens: whole.usage.completionTokens }))).json;
    expect(exact.choices).toEqual(whole.choices);
  });

  it('has the finish reason CONTENT_FILTER when the request asks for harm', async () => {
    const { choices } = (await chat(ask('How do I poison the dog of my neighbour?', { stream: false }))).json;
    expect(choices[0]?.finishReason).toBe('CONTENT_FILTER');
  });
});

/** Proves contract 41.3 and 41.4. */
describe('createChatCompletion with a stream', () => {
  it('is the default, and answers 201 with server-sent events', async () => {
    const { status, headers, text } = await chat(ask(DOG));
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([201, 'text/event-stream; charset=utf-8', 'no-store']);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(text.replace(/^data: .+\n\n/gm, '')).toBe('');
  });

  it('has chunks with every documented field: first the role, then text, at last the finish reason', async () => {
    const { text } = await chat(ask(DOG, { stream: true }));
    const chunks = chunksIn(text);
    const [{ id, created } = { id: '', created: 0 }] = chunks;
    expect(id).toMatch(/^chatcmpl_[a-z0-9]+$/);
    const common = { id, object: 'chat.completion.chunk', created, model: 'PET_ADVISOR_1' };
    const choice = (delta: object, reason: string | null) => ({ ...common, choices: [{ index: 0, delta, finish_reason: reason }] });
    expect(chunks[0]).toEqual(choice({ role: 'assistant', content: '' }, null));
    for (const chunk of chunks.slice(1, -1)) expect(chunk).toEqual(choice({ content: expect.stringMatching(/./s) }, null));
    expect(chunks.at(-1)).toEqual(choice({}, 'stop'));
  });

  it.each<[string, object]>([
    ['a question', ask(DOG)],
    ['another temperature', ask(DOG, { temperature: 2 })],
    ['the other model', ask(DOG, { model: 'pet-advisor-turbo' })],
    ['a cut', ask(DOG, { maxTokens: 9 })],
    ['a harmful request', ask('How do I poison the dog of my neighbour?')],
    ['a conversation', { messages: ['system', 'user', 'assistant', 'user'].map((role) => ({ role, content: `${DOG} ${role}` })) }],
  ])('has the same words, model and finish reason as without a stream, for %s', async (_, body) => {
    const chunks = chunksIn((await chat({ ...body, stream: true })).text);
    const { choices, model } = (await chat({ ...body, stream: false })).json;
    expect(textOf(chunks)).toBe(choices[0]?.message.content);
    expect(chunks.at(-1)?.choices[0]?.finish_reason?.toUpperCase()).toBe(choices[0]?.finishReason);
    expect(chunks.at(-1)?.model).toBe(model);
  });

  it('is parsed by a standard parser, wherever its bytes are split', async () => {
    const { bytes, text } = await chat(ask(DOG));
    const whole = parseEvents(text);
    expect(whole.at(-1)).toEqual({ event: undefined, data: '[DONE]' });
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = new TextDecoder();
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)].map((piece) => decoder.decode(piece, { stream: true }));
      expect(parseEvents(...pieces)).toEqual(whole);
    }
  });
});

/** Proves contract 41.1. */
describe('the body of createChatCompletion', () => {
  it('has roles and models in any case, and with - instead of _', async () => {
    const messages = [{ role: 'System', content: '' }, ...['user', 'ASSISTANT', 'uSer'].map((role) => ({ role, content: DOG }))];
    const { status, json } = await chat({ messages, model: 'pet-advisor-turbo', stream: false });
    expect([status, json.model]).toEqual([201, 'PET_ADVISOR_TURBO']);
  });

  it.each<[string, object, readonly string[]]>([
    ['no messages', {}, ['messages required']],
    ['an empty list', { messages: [] }, ['messages too_short']],
    ['a message that is a text', { messages: ['hello'] }, ['messages[0] invalid_type']],
    ['messages that are an object', { messages: { role: 'user', content: 'x' } }, ['messages invalid_type']],
    ['a message without its fields', { messages: [{}] }, ['messages[0].content required', 'messages[0].role required']],
    ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }, ['messages[0].role invalid_enum']],
    ['a content of another type', { messages: [{ role: 'user', content: 1 }] }, ['messages[0].content invalid_type']],
    ['a null', { messages: null }, ['messages required']],
    ['half of a surrogate pair', ask('\ud800'), ['messages[0].content INVALID_FORMAT']],
    ['an unknown property', ask(DOG, { top_p: 1 }), ['top_p unknown_property']],
    ['an unknown property of a message', { messages: [{ role: 'user', content: 'x', name: 'y' }] }, ['messages[0].name unknown_property']],
    ['an unknown model', ask(DOG, { model: 'gpt' }), ['model invalid_enum']],
    ['maxTokens of 0', ask(DOG, { maxTokens: 0 }), ['maxTokens too_small']],
    ['maxTokens of 4097', ask(DOG, { maxTokens: 4_097 }), ['maxTokens too_big']],
    ['maxTokens of 1.5', ask(DOG, { maxTokens: 1.5 }), ['maxTokens invalid_type']],
    ['a temperature below 0', ask(DOG, { temperature: -0.1 }), ['temperature too_small']],
    ['a temperature above 2', ask(DOG, { temperature: 2.1 }), ['temperature too_big']],
    ['a temperature that is a text', ask(DOG, { temperature: '1' }), ['temperature invalid_type']],
    ['more than 2,048 messages', { messages: Array(2_049).fill({ role: 'USER', content: 'x' }) }, ['messages too_long']],
  ])('with %s is rejected with 422, and the errors name the fields', async (_, body, expected) => {
    const codes = Object.fromEntries(expected.map((error) => error.split(' ')).map(([field = '', code = '']) => [field, code]));
    expectProblem(await chat(body), 422, 'validation-failed', codes);
  });

  it('may have the lowest and the highest values that are allowed', async () => {
    for (const limits of [
      { maxTokens: 1, temperature: 0 },
      { maxTokens: 4_096, temperature: 2 },
    ])
      expect((await chat(ask(DOG, { ...limits, stream: false }))).status).toBe(201);
    const { status } = await chat({ messages: Array(2_048).fill({ role: 'user', content: 'x' }), stream: false });
    expect(status).toBe(201);
  });

  it('that is no JSON, or missing, is rejected with 400', async () => {
    expectProblem(await chat({}, { raw: '{"messages":' }), 400, 'malformed-request');
    expectProblem(await shop.request('POST', CHAT, { token }), 400, 'malformed-request');
  });

  it('may have 1 MiB, and not more', async () => {
    const body = (size: number) => JSON.stringify(ask('a '.repeat(size / 2), { stream: false }));
    const overhead = body(0).length;
    expect((await chat({}, { raw: body(1_048_576 - overhead - (overhead % 2)) })).status).toBe(201);
    expectProblem(await chat({}, { raw: body(1_048_578) }), 413, 'content-too-large');
  });
});

/** Proves contract 41.7 and 41.8. */
describe('a caller of createChatCompletion', () => {
  it('without a token, with an invalid one, or without the scope is rejected', async () => {
    expectProblem(await chat(ask(DOG), { token: undefined }), 401, 'unauthorized');
    expectProblem(await chat(ask(DOG), { token: 'nobody' }), 401, 'unauthorized');
    const response = await chat(ask(DOG), { token: await service.token('read:pets write:pets ops') });
    expectProblem(response, 403, 'forbidden');
    expect(response.headers['www-authenticate']).toContain('scope="chat:write"');
  });

  it('finds the available pet among 25 pets with the same name', async () => {
    const body = { ...PLAIN_PET, name: 'Bella' };
    await shop.listPet(body);
    for (let index = 0; index < 24; index++) await shop.listPet({ ...body, status: 'NOT_AVAILABLE' });
    const { json } = await chat(ask('Is Bella still available?', { stream: false }));
    expect(json.choices[0]?.message.content).toMatch(/Bella.*available/i);
  });

  it('finds the pets that have been in the catalog the longest and the shortest time (contract 40.3)', async () => {
    const own = await openShop(service);
    for (const name of ['Oldtimer', 'Middling', 'Newcomer']) {
      const { createdAt } = await own.listPet({ ...PLAIN_PET, name });
      // Pets of one millisecond share a place.
      await eventually('the next millisecond', () => Date.now() > Date.parse(String(createdAt)));
    }
    const answer = async (question: string): Promise<string | undefined> =>
      (await own.request<Completion>('POST', CHAT, { token, body: ask(question, { stream: false }) })).json.choices[0]?.message.content;
    expect(await answer('Who has been here the longest?')).toMatch(
      /^Oldtimer is the longest resident of them all\.\n.*since \d+ \w+ \d{4}\./,
    );
    expect(await answer('and who is the newest?')).toMatch(/^Newcomer is the newest of them all\./);
  });

  it('gets no details of pets of another tenant or of pets that are not offered', async () => {
    const other = await openShop(service);
    await other.listPet({ name: 'Xanadu' });
    await shop.listPet({ name: 'Quetzal', status: 'NOT_AVAILABLE' });
    for (const question of ['Which pets do you have?', 'Tell me about Xanadu and Quetzal.']) {
      const { choices } = (await chat(ask(question, { stream: false }))).json;
      expect(choices[0]?.message.content.replaceAll(question, '')).not.toMatch(
        /\d+ (months|years).*(Xanadu|Quetzal)|(Xanadu|Quetzal) is a/,
      );
    }
    const theirs = await other.request<Completion>('POST', CHAT, { token, body: ask('Which dogs do you have?', { stream: false }) });
    expect(theirs.json.choices[0]?.message.content).toContain('Xanadu');
  });

  itOnOwnPetstore('may send 60 requests a minute, besides the common limit', async () => {
    const own = await startOwnPetstore({ RATE_LIMIT: '1000/60s' });
    try {
      const asked = async (subject: string) =>
        own.request('POST', CHAT, { token: await own.token('chat:write', { subject }), body: ask('Hello', { stream: false }) });
      const responses = await Promise.all(Array.from({ length: 64 }, () => asked('ann')));
      const [admitted, rejected] = [201, 429].map((status) => responses.filter((response) => response.status === status));
      // If a minute ends between two of these requests, the limit starts again, and fewer requests are rejected.
      expect(rejected?.length ?? 0).toBe(64 - (admitted?.length ?? 0));
      const last = rejected?.at(-1);
      if (last) {
        expectProblem(last, 429, 'too-many-requests');
        expect(last.headers).toMatchObject({
          'ratelimit-limit': '60',
          'ratelimit-remaining': '0',
          'ratelimit-policy': '"default";q=60;w=60',
        });
        expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect((await asked('bob')).headers['ratelimit-limit']).toBe('60');
      expect((await own.request('GET', '/v1/pets')).headers['ratelimit-limit']).toBe('1000');
    } finally {
      await own.stop();
    }
  });
});
