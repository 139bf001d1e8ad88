import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXAMPLE_PET, PROBLEM_EXAMPLES } from '../../apps/api/describe/pages/errors/problem-examples.js';
import { PROBLEMS, type ProblemKind } from '../../apps/api/http/problems/problem-kinds.js';
import { fileUpload, PIXEL } from './image-files.js';
import { createClient, type Client } from '../servers/client.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';

let service: TestPetstore;
let client: Client;
/** The pet of the examples. The user ada has ordered it with the Idempotency-Key of the examples. */
let pet: string;
/** A pet without an order. */
let freePet: string;
/** An image of the pet: its URL, and its number of bytes. */
let image: { readonly path: string; readonly bytes: number };
beforeAll(async () => {
  service = await startTestPetstore();
  client = createClient(service.url);
  [pet, freePet] = [await addPet(), await addPet()];
  const { requestHeaders } = PROBLEM_EXAMPLES['idempotency-key-reused'];
  const order = { petId: pet, userId: 'ada' };
  expect((await service.request('POST', '/v1/orders', { headers: requestHeaders ?? {}, body: order })).status).toBe(201);
  const token = await service.token('write:pets');
  const uploaded = await client.send('POST', `/v1/pets/${pet}/images`, { token, ...fileUpload(PIXEL) });
  const path = new URL(String(uploaded.headers['location']), service.url).pathname;
  image = { path, bytes: (await client.send('GET', path)).bytes.length };
});
const addPet = async (): Promise<string> => {
  const luna = { name: 'Luna', species: 'dog', ageMonths: 18, price: '250.00', currency: 'USD' };
  const { json } = await service.request<{ readonly id: string }>('POST', '/v1/pets', {
    token: await service.token('write:pets'),
    body: luna,
  });
  return json.id;
};
afterAll(async () => {
  client.close();
  await service.stop();
});

/** Problem kinds that one request to a working service cannot cause. Other specs compare their examples. */
const NOT_CAUSED_BY_A_REQUEST: readonly ProblemKind[] = [
  'request-timeout',
  'too-many-requests',
  'internal-error',
  'temporarily-unavailable',
  'history-altered',
  'history-unreadable',
];
const KINDS = (Object.keys(PROBLEMS) as ProblemKind[]).filter((kind) => !NOT_CAUSED_BY_A_REQUEST.includes(kind));

/** By problem kind, the scopes of the token in its example. */
const SCOPES: Partial<Readonly<Record<ProblemKind, string>>> = { forbidden: 'read:pets', 'precondition-failed': 'write:pets' };
/** Values for which the examples show only `…`. */
const LONG_HEADER = 'x'.repeat(20_000);
const LONG_BODY = 'x'.repeat(1_048_577);

const send = async (kind: ProblemKind) => {
  const { method, path, requestHeaders = {}, body } = PROBLEM_EXAMPLES[kind];
  const petOf: Partial<Record<ProblemKind, string>> = { 'not-found': EXAMPLE_PET, 'precondition-failed': freePet };
  const real = (text: string) => (kind === 'range-not-satisfiable' ? image.path : text.replaceAll(EXAMPLE_PET, petOf[kind] ?? pet));
  const { Authorization: token, ...headers } = requestHeaders;
  const long = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === '…' ? LONG_HEADER : value]));
  const sent = body === '…' ? LONG_BODY : body;
  const response = await client.send(method, real(path), {
    headers: long,
    ...(sent !== undefined && { raw: real(sent) }),
    ...(token !== undefined && { token: await service.token(SCOPES[kind] ?? '') }),
  });
  return { ...response, instance: real(path) };
};

/** Proves rows of contract 42.18. */
describe('the example of an error page', () => {
  it.each(KINDS)('is the response of the service: %s', async (kind) => {
    const { headers = {}, detail, errors, instance: connection } = PROBLEM_EXAMPLES[kind];
    const { title, status } = PROBLEMS[kind];
    const response = await send(kind);
    const problem = { type: `${service.url}/errors/${kind}`, title, status, detail, instance: connection ?? response.instance };
    // The image of the test has fewer bytes than that of the example, so its size is replaced by that of the example.
    const ofExample = (text: string) =>
      text.replace(`has ${image.bytes} bytes`, 'has 240000 bytes').replace(`*/${image.bytes}`, '*/240000');
    expect(JSON.parse(ofExample(response.text))).toEqual({ ...problem, ...(errors && { errors }) });
    expect(response.status).toBe(status);
    for (const [name, value] of Object.entries(headers))
      expect([name, ofExample(String(response.headers[name.toLowerCase()]))]).toEqual([name, value]);
  });
});
