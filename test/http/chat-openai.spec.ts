import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { AuthenticationError, BadRequestError, NotFoundError, PermissionDeniedError, RateLimitError } from 'openai';
import type { HttpResponse } from '../servers/client.js';
import { itOnOwnPetstore, startOwnPetstore, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { ask, CHAT, parseEvents, type Completion } from './chat.js';
import { openShop, type Shop } from './shop.js';

const QUESTION = 'Which dog do you have for a family with children?';
const MODEL = 'pet-advisor-1';
const messages = [{ role: 'user', content: QUESTION }] as const;

let service: TestPetstore;
let shop: Shop;
let token: string;
let client: OpenAI;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  await shop.listPet({ name: 'Luna', goodWithKids: true });
  token = await service.token('chat:write', { subject: randomUUID() });
  client = clientOf(token);
});
afterAll(() => service.stop());

const clientOf = (apiKey: string, baseURL = service.url): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${baseURL}/v1/openai`, maxRetries: 0, defaultHeaders: { 'x-tenant-id': shop.tenant ?? null } });

type OpenaiCompletion = { readonly choices: readonly { readonly message: { readonly content: string } }[]; readonly usage: object };
type OpenaiError = {
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string };
};

const post = <T = OpenaiCompletion>(body: object): Promise<HttpResponse<T>> =>
  shop.request<T>('POST', '/v1/openai/chat/completions', { token, body });

/** Proves contract 41.9. */
describe("OpenAI's client for TypeScript", () => {
  it('gets the same answer as createChatCompletion, with its usage', async () => {
    const completion = await client.chat.completions.create({ model: MODEL, messages: [...messages] });
    const { json } = await shop.request<Completion>('POST', CHAT, { token, body: ask(QUESTION, { stream: false }) });
    const [choice] = json.choices;
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl_[a-z0-9]+$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: MODEL,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: choice?.message.content, refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: json.usage.promptTokens,
        completion_tokens: json.usage.completionTokens,
        total_tokens: json.usage.totalTokens,
      },
    });
  });

  it('reads a stream with the words of the answer without a stream, and its usage at the end', async () => {
    const whole = await client.chat.completions.create({ model: MODEL, messages: [...messages] });
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [...messages],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    const reasons: (string | null)[] = [];
    const usages: unknown[] = [];
    for await (const { choices, usage } of stream) {
      text += choices[0]?.delta.content ?? '';
      if (choices[0]?.finish_reason) reasons.push(choices[0].finish_reason);
      if (usage) usages.push(usage, choices);
    }
    expect([text, reasons]).toEqual([whole.choices[0]?.message.content, ['stop']]);
    expect(usages).toEqual([whole.usage, []]);
  });

  it('cuts an answer at max_tokens and at max_completion_tokens', async () => {
    for (const limit of [{ max_tokens: 3 }, { max_completion_tokens: 3 }, { max_tokens: 9, max_completion_tokens: 3 }]) {
      const { choices, usage } = await client.chat.completions.create({ model: MODEL, messages: [...messages], ...limit });
      expect([choices[0]?.finish_reason, usage?.completion_tokens]).toEqual(['length', 3]);
    }
  });

  it('lists the models', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id, object, owned_by }) => [id, object, owned_by])).toEqual([
      ['pet-advisor-1', 'model', 'petstore'],
      ['pet-advisor-turbo', 'model', 'petstore'],
    ]);
  });

  it('finds a model by its name, in any case', async () => {
    for (const name of ['pet-advisor-turbo', 'PET_ADVISOR_TURBO'])
      expect(await client.models.retrieve(name)).toMatchObject({ id: 'pet-advisor-turbo', object: 'model', owned_by: 'petstore' });
  });

  it('throws the exception of each error', async () => {
    const failed = (by: OpenAI, body: object = {}): Promise<unknown> =>
      by.chat.completions.create({ model: MODEL, messages: [...messages], ...body }).then(
        () => null,
        (error: unknown) => error,
      );
    expect(await failed(clientOf('nobody'))).toBeInstanceOf(AuthenticationError);
    expect(await failed(clientOf(await service.token('read:pets')))).toBeInstanceOf(PermissionDeniedError);
    const invalid = await failed(client, { temperature: 3 });
    expect(invalid).toBeInstanceOf(BadRequestError);
    expect(invalid).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'temperature', code: 'too_big' });
    const unknown = await client.models.retrieve('gpt').catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ param: 'model', code: 'model_not_found' });
    expect(await failed(client, { model: 'gpt' })).toMatchObject({ status: 404, code: 'model_not_found' });
  });

  itOnOwnPetstore('shares the limit of createChatCompletion', async () => {
    const own = await startOwnPetstore({ RATE_LIMIT: '1000/60s' });
    try {
      const ann = await own.token('chat:write', { subject: 'ann' });
      const limited = clientOf(ann, own.url);
      const asked = [];
      for (let sent = 0; sent < 31; sent++) {
        asked.push(own.request('POST', CHAT, { token: ann, body: ask('Hello', { stream: false }) }));
        asked.push(limited.chat.completions.create({ model: MODEL, messages: [...messages] }));
      }
      const outcomes = await Promise.allSettled(asked);
      const rejected = outcomes.filter((one) => one.status === 'rejected' || ('status' in one.value && one.value.status === 429));
      // If a minute ends between two of these requests, the limit starts again, and fewer requests are rejected.
      expect(rejected.length).toBeLessThanOrEqual(2);
      for (const one of rejected) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(RateLimitError);
    } finally {
      await own.stop();
    }
  });
});

/** Proves contract 41.9. */
describe('a request of a client of OpenAI', () => {
  it('has no stream by default, and the status 200 in both modes', async () => {
    const whole = await post({ model: MODEL, messages });
    expect([whole.status, whole.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const streamed = await post({ model: MODEL, messages, stream: true });
    expect([streamed.status, streamed.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const events = parseEvents(streamed.text);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(events.filter(({ data }) => data.includes('usage'))).toEqual([]);
  });

  it.each<[string, object]>([
    ['developer as system', { messages: [{ role: 'developer', content: 'Be short.' }, ...messages] }],
    [
      'roles in upper case',
      {
        messages: [
          { role: 'DEVELOPER', content: 'Be short.' },
          { role: 'USER', content: 'Hello' },
        ],
      },
    ],
    ['a name in lower case', { messages: [{ role: 'assistant', content: 'Hello' }, ...messages], model: 'pet-advisor-turbo' }],
    ['unknown members', { messages: [{ ...messages[0], name: 'ann' }], n: 1, top_p: 0.5, tools: [], user: 'ann', seed: 7 }],
    ['values that ask for nothing more', { messages, tool_choice: 'auto', function_call: 'none', logprobs: false, top_logprobs: 0 }],
    ['text as the form of its answer', { messages, response_format: { type: 'text' }, tool_choice: null, n: null }],
    [
      'members that are null',
      { messages: [{ role: 'assistant', content: null }, ...messages], max_tokens: null, stream: null, temperature: null },
    ],
    ['no model', { messages }],
  ])('may have %s', async (_, body) => expect((await post(body)).status).toBe(200));

  it('may have its text in parts, which are joined', async () => {
    const parts = [
      { type: 'text', text: QUESTION.slice(0, 20) },
      { type: 'text', text: QUESTION.slice(20) },
    ];
    const [whole, joined] = [await post({ messages }), await post({ messages: [{ role: 'user', content: parts }] })];
    expect([joined.json.choices, joined.json.usage]).toEqual([whole.json.choices, whole.json.usage]);
  });

  it.each<[string, object, string | null, string]>([
    ['no messages', {}, 'messages', 'required'],
    [
      'an image',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      'messages[0].content',
      'invalid_type',
    ],
    ['the role tool', { messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role', 'invalid_enum'],
    ['a model that is a number', { messages, model: 5 }, 'model', 'invalid_type'],
    ['a required call', { messages, tool_choice: 'required' }, 'tool_choice', 'unsupported_value'],
    ['a named function', { messages, tool_choice: { type: 'function', function: { name: 'f' } } }, 'tool_choice', 'unsupported_value'],
    ['a named function of older clients', { messages, function_call: { name: 'f' } }, 'function_call', 'unsupported_value'],
    ['a JSON object as its answer', { messages, response_format: { type: 'json_object' } }, 'response_format', 'unsupported_value'],
    [
      'a JSON schema of its answer',
      { messages, response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } },
      'response_format',
      'unsupported_value',
    ],
    ['two answers', { messages, n: 2 }, 'n', 'unsupported_value'],
    ['probabilities', { messages, logprobs: true }, 'logprobs', 'unsupported_value'],
    ['a number of probabilities', { messages, top_logprobs: 2 }, 'top_logprobs', 'unsupported_value'],
    ['max_tokens of 0', { messages, max_tokens: 0 }, 'max_tokens', 'too_small'],
    ['max_tokens of 0 beside a valid limit', { messages, max_tokens: 0, max_completion_tokens: 3 }, 'max_tokens', 'too_small'],
    ['a limit of 0 beside null', { messages, max_tokens: 0, max_completion_tokens: null }, 'max_tokens', 'too_small'],
    ['stream_options that are a list', { messages, stream_options: [] }, 'stream_options', 'invalid_type'],
    ['a wrong include_usage', { messages, stream_options: { include_usage: {} } }, 'stream_options.include_usage', 'invalid_type'],
    ['max_completion_tokens of 5000', { messages, max_completion_tokens: 5_000 }, 'max_completion_tokens', 'too_big'],
    ['a list as its body', [], 'body', 'invalid_type'],
  ])('with %s gets 400 and an error object', async (_, body, param, code) => {
    const { status, json } = await post<OpenaiError>(body);
    expect([status, json.error]).toEqual([400, { message: expect.any(String), type: 'invalid_request_error', param, code }]);
  });

  it.each<[string, object, string]>([
    ['another role', { messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role: must be one of system, developer, user, assistant'],
    ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 'the advisor reads only text'],
    ['a content that is a number', { messages: [{ role: 'user', content: 5 }] }, 'messages[0].content: must be a text, or a list of parts'],
    ['a required call', { messages, tool_choice: 'required' }, 'tool_choice: must be none or auto, because the advisor calls no tools'],
  ])('with %s gets a message in the terms of OpenAI', async (_, body, message) =>
    expect((await post<OpenaiError>(body)).json.error.message).toContain(message),
  );

  it('for a model that the service does not have gets 404, in both modes', async () => {
    const { status, json } = await post<OpenaiError>({ messages, model: 'gpt-5' });
    expect([status, json.error]).toEqual([
      404,
      {
        message: expect.stringContaining('pet-advisor-1 and pet-advisor-turbo'),
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    ]);
    expect((await post({ messages, model: 'gpt-5', stream: true })).status).toBe(404);
  });

  it('that is no JSON, or has another media type, address or method, gets an error object', async () => {
    const path = '/v1/openai/chat/completions';
    const malformed = await shop.request<OpenaiError>('POST', path, { token, raw: '{' });
    expect([malformed.status, malformed.json.error.code]).toEqual([400, 'malformed-request']);
    const text = await shop.request<OpenaiError>('POST', path, { token, raw: 'x', headers: { 'content-type': 'text/plain' } });
    expect([text.status, text.json.error.code]).toEqual([415, 'unsupported-media-type']);
    const unknown = await shop.request<OpenaiError>('POST', '/v1/openai/embeddings', { token, body: {} });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'not-found']);
    const { status, json } = await shop.request<OpenaiError>('GET', path, { token });
    expect([status, json.error.type]).toEqual([405, 'invalid_request_error']);
  });
});
