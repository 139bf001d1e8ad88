import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXAMPLE_PET, PROBLEM_EXAMPLES } from '../../apps/api/describe/pages/errors/problem-examples.js';
import { PROBLEMS, type ProblemKind } from '../../apps/api/http/problems/problem-kinds.js';
import { createClient, type Client } from '../servers/client.js';
import { startStore, type TestStore } from '../servers/store.js';

let store: TestStore;
let client: Client;
/** The pet of the examples. The user ada has ordered it with the Idempotency-Key of the examples. */
let pet: string;
/** A pet without an order. */
let freePet: string;
beforeAll(async () => {
  store = await startStore();
  client = createClient(store.url);
  [pet, freePet] = [await addPet(), await addPet()];
  const { requestHeaders } = PROBLEM_EXAMPLES['idempotency-key-reused'];
  const order = { petId: pet, userId: 'ada' };
  expect((await store.request('POST', '/v1/orders', { headers: requestHeaders ?? {}, body: order })).status).toBe(201);
});
const addPet = async (): Promise<string> => {
  const luna = { name: 'Luna', species: 'dog', ageMonths: 18, price: '250.00', currency: 'USD' };
  const { json } = await store.request<{ readonly id: string }>('POST', '/v1/pets', { token: await store.token('write:pets'), body: luna });
  return json.id;
};
afterAll(async () => {
  client.close();
  await store.stop();
});

/** Problem kinds that one request to a working service cannot cause. Other specs compare their examples. */
const NOT_BY_A_REQUEST: readonly ProblemKind[] = [
  'request-timeout',
  'too-many-requests',
  'internal-error',
  'temporarily-unavailable',
  'history-altered',
  'history-unreadable',
];
const KINDS = (Object.keys(PROBLEMS) as ProblemKind[]).filter((kind) => !NOT_BY_A_REQUEST.includes(kind));

/** Scopes of the token in an example. */
const SCOPES: Partial<Readonly<Record<ProblemKind, string>>> = { forbidden: 'read:pets', 'precondition-failed': 'write:pets' };
/** The values that the examples abbreviate. */
const LONG_HEADER = 'x'.repeat(20_000);
const LONG_BODY = 'x'.repeat(1_048_577);

const send = async (kind: ProblemKind) => {
  const { method, path, requestHeaders = {}, body } = PROBLEM_EXAMPLES[kind];
  const petOf: Partial<Record<ProblemKind, string>> = { 'not-found': EXAMPLE_PET, 'precondition-failed': freePet };
  const real = (text: string) => text.replaceAll(EXAMPLE_PET, petOf[kind] ?? pet);
  const { Authorization: token, ...headers } = requestHeaders;
  const long = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === '…' ? LONG_HEADER : value]));
  const sent = body === '…' ? LONG_BODY : body;
  const answer = await client.send(method, real(path), {
    headers: long,
    ...(sent !== undefined && { raw: real(sent) }),
    ...(token !== undefined && { token: await store.token(SCOPES[kind] ?? '') }),
  });
  return { ...answer, instance: real(path) };
};

describe('the example of an error page', () => {
  it.each(KINDS)('is the response of the service: %s', async (kind) => {
    const { headers = {}, detail, errors, instance: connection } = PROBLEM_EXAMPLES[kind];
    const { title, status } = PROBLEMS[kind];
    const answer = await send(kind);
    const problem = { type: `${store.url}/errors/${kind}`, title, status, detail, instance: connection ?? answer.instance };
    expect(answer.json).toEqual({ ...problem, ...(errors && { errors }) });
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(headers)) expect([name, answer.headers[name.toLowerCase()]]).toEqual([name, value]);
  });
});
