import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import { SendTest } from '../../../../libs/application/deliveries/delivery.commands.js';
import { RequestCallback } from '../../../../libs/application/orders/order.commands.js';
import { CreatePet } from '../../../../libs/application/pets/pet.commands.js';
import { RotateSecret } from '../../../../libs/application/webhooks/webhook.commands.js';
import { ValidateUrl } from '../../../../libs/application/webhooks/webhook.queries.js';
import { ORDER_CALLBACK_EXAMPLE } from '../../orders/order.examples.js';
import { answerPets, LUNA, PET, VIEW } from '../../testing/pets-api.fixtures.js';
import { as, ORDER_ID, PET_ID, runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';

type ResponseObject = { readonly headers?: Readonly<Record<string, object>> };
type OperationObject = { readonly operationId: string; readonly responses: Readonly<Record<string, ResponseObject>> };

/** Headers that only some operations send. `Consistency-Token` is missing, because the embedded profile never sends it. */
const COMPARED_HEADERS = ['accept-query', 'etag', 'idempotent-replayed', 'location', 'x-callback-request-id'];
const WEBHOOK = `/v1/webhooks/${PET_ID}`;
const SECRET = { secret: 'whsec_x', rotatedAt: '2026-01-02T03:04:05.678Z', formerUntil: '2026-01-03T03:04:05.678Z' };

const searchBy = (method: 'QUERY' | 'POST', url: string): InjectOptions => ({ method, url, payload: {} });

/**
 * A request for each tested operation. The fake application answers every creation as a replay, so that the response also has
 * `Idempotent-Replayed`.
 */
const REQUESTS: readonly (readonly [string, InjectOptions])[] = [
  ['getPet', { url: PET }],
  ['listPets', { url: '/v1/pets' }],
  ['searchPets', searchBy('QUERY', '/v1/pets')],
  ['searchPetsByPath', searchBy('QUERY', '/v1/pets/search')],
  ['searchPetsByPost', searchBy('POST', '/v1/pets/search')],
  ['createPet', { method: 'POST', url: '/v1/pets', payload: LUNA }],
  ['updatePet', { method: 'PUT', url: PET, payload: { ...LUNA, status: 'AVAILABLE' } }],
  ['deletePet', { method: 'DELETE', url: PET }],
  ['callbackOrder', { method: 'POST', url: `/v1/orders/${ORDER_ID}`, payload: ORDER_CALLBACK_EXAMPLE }],
  ['rotateWebhookSecret', { method: 'POST', url: `${WEBHOOK}/secret` }],
  ['testWebhook', { method: 'POST', url: `${WEBHOOK}/test` }],
];

describe('the OpenAPI document', () => {
  let api: RunningApi;
  let operations: ReadonlyMap<string, OperationObject>;

  beforeAll(async () => {
    api = await runningApi({ RATE_LIMIT: 'off' });
    answerPets(api);
    api.application.setHandler(CreatePet, () => ({ ...VIEW, replayed: true }));
    api.application.setHandler(ValidateUrl, () => null);
    api.application.setHandler(RequestCallback, () => ({ requestId: PET_ID, replayed: true }));
    api.application.setHandler(RotateSecret, () => ({ ...SECRET, replayed: true }));
    api.application.setHandler(SendTest, () => VIEW);
    const { paths } = (await api.inject({ url: '/openapi.json' })).json<{ paths: Record<string, Record<string, OperationObject>> }>();
    const all = Object.values(paths).flatMap((item) => Object.values(item));
    operations = new Map(all.map((operation) => [operation.operationId, operation]));
  });
  afterAll(() => api.app.close());

  it.each(REQUESTS)('describes, for %s, the headers that the service sends', async (id, request) => {
    const response = await api.inject({ ...request, headers: as('staff') });
    const sent = COMPARED_HEADERS.filter((name) => name in response.headers);
    const described = Object.keys(operations.get(id)?.responses[response.statusCode]?.headers ?? {}).map((name) => name.toLowerCase());
    expect(described.filter((name) => COMPARED_HEADERS.includes(name)).sort()).toEqual(sent);
  });

  it.each(REQUESTS)('describes, for %s, a 304 response only if the service sends one', async (id, request) => {
    const { headers } = await api.inject({ ...request, headers: as('staff') });
    const again = await api.inject({ ...request, headers: { ...as('staff'), 'if-none-match': String(headers['etag'] ?? '"none"') } });
    expect('304' in (operations.get(id)?.responses ?? {})).toBe(again.statusCode === 304);
  });

  it.each([`${WEBHOOK}/secret`, `${WEBHOOK}/test`])(
    'describes, for POST %s, a 415 response although the operation takes no body',
    async (url) => {
      const headers = { ...as('staff'), 'content-type': 'text/plain' };
      expect((await api.inject({ method: 'POST', url, headers, payload: 'x' })).statusCode).toBe(415);
      const json = { ...as('staff'), 'content-type': 'application/json' };
      expect((await api.inject({ method: 'POST', url, headers: json, payload: '{' })).statusCode).toBe(400);
      expect((await api.inject({ method: 'POST', url, headers: json, payload: '{"any":1}' })).statusCode).toBeLessThan(300);
      for (const id of ['rotateWebhookSecret', 'testWebhook']) expect(Object.keys(operations.get(id)?.responses ?? {})).toContain('415');
    },
  );
});
