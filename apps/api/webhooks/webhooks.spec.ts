import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RotateSecret, CreateWebhook, DeleteWebhook, UpdateWebhook } from '../../../libs/application/webhooks/webhook.commands.js';
import { ValidateUrl, GetCallbackPublicKey, GetWebhook, ListWebhooks } from '../../../libs/application/webhooks/webhook.queries.js';
import { rejected } from '../../../libs/eventsourcing/decider.js';
import { as, faultsIn, runningApi, type RunningApi } from '../testing/running-api.fixtures.js';

const ID = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const WEBHOOK = `/v1/webhooks/${ID}`;
const VIEW = { id: ID, json: `{"id":"${ID}"}`, etag: '0.1', fields: {} };
const SECRET = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  rotatedAt: '2026-01-02T03:04:05.678Z',
  formerUntil: '2026-01-03T03:04:05.678Z',
};
const TERMS = { url: 'https://shop.test/hooks', events: ['order.statusChanged', 'pet.adopted'] };

const setAnswers = (api: RunningApi): void => {
  api.application.setHandler(ValidateUrl, ({ url }) => (url.includes('10.0.0.1') ? 'must not be on a private network.' : null));
  api.application.setHandler(CreateWebhook, () => ({ ...VIEW, replayed: false }));
  api.application.setHandler(GetWebhook, () => VIEW);
  api.application.setHandler(ListWebhooks, () => ({ items: [VIEW.json], totalItems: 1 }));
  api.application.setHandler(UpdateWebhook, () => VIEW);
  api.application.setHandler(DeleteWebhook, () => null);
  api.application.setHandler(RotateSecret, () => ({ ...SECRET, replayed: false }));
  api.application.setHandler(GetCallbackPublicKey, () => new Uint8Array(32).fill(7));
};

let api: RunningApi;
beforeAll(async () => {
  api = await runningApi({ RATE_LIMIT: 'off' });
});
afterAll(() => api.app.close());
beforeEach(() => setAnswers(api));

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: object = {}) =>
  api.inject({ method, url, headers: { ...as('staff'), ...headers }, ...(payload && { payload }) });

describe('POST /v1/webhooks', () => {
  it('registers a URL with its events, unordered by default', async () => {
    const { statusCode, headers } = await send('POST', '/v1/webhooks', TERMS);
    expect([statusCode, headers['location'], headers['cache-control']]).toEqual([201, `https://pets.test${WEBHOOK}`, 'no-store']);
    expect(api.application.last(CreateWebhook).terms).toEqual({ ...TERMS, ordered: false });
  });

  it('accepts events in any case, and ignores read-only fields', async () => {
    await send('POST', '/v1/webhooks', {
      url: TERMS.url,
      events: ['ORDER.STATUSCHANGED', 'pet.adopted'],
      ordered: true,
      id: ID,
      status: 'disabled',
      secret: 'whsec_mine',
      createdAt: 'x',
    });
    expect(api.application.last(CreateWebhook).terms).toEqual({ ...TERMS, ordered: true });
  });

  it.each<[string, object, readonly string[]]>([
    ['an empty body', {}, ['events required', 'url required']],
    ['no events', { ...TERMS, events: [] }, ['events too_short']],
    ['an unknown event', { ...TERMS, events: ['pet.adopted', 'pet.eaten'] }, ['events[1] invalid_enum']],
    ['the event of a test', { ...TERMS, events: ['webhook.test'] }, ['events[0] invalid_enum']],
    ['the same event twice', { ...TERMS, events: ['pet.adopted', 'PET.ADOPTED'] }, ['events not_unique']],
    ['events that are not a list', { ...TERMS, events: 'pet.adopted' }, ['events invalid_type']],
    ['an event that is not a text', { ...TERMS, events: [1] }, ['events[0] invalid_type']],
    ['an address of another scheme', { ...TERMS, url: 'ftp://shop.test' }, ['url INVALID_FORMAT']],
    ['an address that is not a URL', { ...TERMS, url: 'shop' }, ['url INVALID_FORMAT']],
    ['an address that is null', { ...TERMS, url: null }, ['url required']],
    ['a value of ordered that is not a boolean', { ...TERMS, ordered: 'yes' }, ['ordered invalid_type']],
    ['an unknown property', { ...TERMS, tenant: 'x' }, ['tenant unknown_property']],
  ])('rejects %s with 422', async (_, body, faults) => {
    const response = await send('POST', '/v1/webhooks', body);
    expect([response.statusCode, faultsIn(response)]).toEqual([422, faults]);
  });

  it('rejects a forbidden address with 422 and the reason', async () => {
    const response = await send('POST', '/v1/webhooks', { ...TERMS, url: 'https://10.0.0.1/hooks' });
    expect([response.statusCode, faultsIn(response)]).toEqual([422, ['url forbidden_address']]);
    expect(response.json<{ readonly detail: string }>().detail).toBe('url: must not be on a private network.');
  });

  it('rejects an endpoint beyond the limit with 409', async () => {
    api.application.setHandler(CreateWebhook, () => rejected('too_many_webhooks'));
    const response = await send('POST', '/v1/webhooks', TERMS);
    expect([response.statusCode, response.json<{ readonly detail: string }>().detail]).toEqual([409, expect.stringContaining('50')]);
  });
});

describe('reading endpoints', () => {
  it('returns an endpoint with its entity tag', async () => {
    const { statusCode, headers, body } = await send('GET', WEBHOOK.toUpperCase().replace('/V1/WEBHOOKS', '/v1/webhooks'));
    expect([statusCode, headers['etag'], body]).toEqual([200, '"0.1"', VIEW.json]);
    expect(api.application.last(GetWebhook).id).toBe(ID);
  });

  it('is 404 for an unknown id, and 400 for an id that is not a UUID', async () => {
    api.application.setHandler(GetWebhook, () => null);
    expect((await send('GET', WEBHOOK)).statusCode).toBe(404);
    const response = await send('GET', '/v1/webhooks/mine');
    expect([response.statusCode, faultsIn(response)]).toEqual([400, ['id INVALID_FORMAT']]);
  });

  it('returns pages with data and pagination', async () => {
    const { body } = await send('GET', '/v1/webhooks?page=1&limit=5');
    expect(body).toBe(`{"data":[${VIEW.json}],"pagination":{"page":1,"limit":5,"totalItems":1,"totalPages":1}}`);
  });
});

describe('PUT /v1/webhooks/{id}', () => {
  it('replaces the fields, with or without a status', async () => {
    await send('PUT', WEBHOOK, { ...TERMS, status: 'enabled' }, { 'if-match': '"0.1"' });
    const { terms, status, request } = api.application.last(UpdateWebhook);
    expect([terms, status, request.ifMatch]).toEqual([{ ...TERMS, ordered: false }, 'enabled', ['0.1']]);
    await send('PUT', WEBHOOK, TERMS);
    expect(api.application.last(UpdateWebhook).status).toBeUndefined();
  });

  it('accepts a body that GET returned, and the body of the registration', async () => {
    const read = {
      id: ID,
      ...TERMS,
      ordered: false,
      status: 'disabled',
      disabledReason: 'gone',
      createdAt: 'x',
      updatedAt: 'y',
      secret: 'z',
    };
    expect((await send('PUT', WEBHOOK, read)).statusCode).toBe(200);
  });

  it.each<[string, object, readonly string[]]>([
    ['another status', { ...TERMS, status: 'paused' }, ['status invalid_enum']],
    ['an id that differs from the one in the path', { ...TERMS, id: ID.replace('9', '8') }, ['id mismatch']],
    ['a forbidden address', { ...TERMS, url: 'https://10.0.0.1' }, ['url forbidden_address']],
  ])('rejects %s with 422', async (_, body, faults) => {
    const response = await send('PUT', WEBHOOK, body);
    expect([response.statusCode, faultsIn(response)]).toEqual([422, faults]);
  });
});

describe('an endpoint', () => {
  it('can be deleted', async () => expect((await send('DELETE', WEBHOOK)).statusCode).toBe(204));

  it('gets a new secret by a rotation, and the response says how long the previous secret still signs', async () => {
    const { statusCode, headers, json } = await send('POST', `${WEBHOOK}/secret`);
    expect([statusCode, headers['cache-control'], headers['idempotent-replayed']]).toEqual([200, 'no-store', undefined]);
    expect(json()).toEqual(SECRET);
  });

  it('keeps the new secret if the rotation is repeated with the same idempotency key', async () => {
    api.application.setHandler(RotateSecret, () => ({ ...SECRET, replayed: true }));
    const { headers, json } = await send('POST', `${WEBHOOK}/secret`, undefined, { 'idempotency-key': 'once' });
    expect([headers['idempotent-replayed'], json()]).toEqual(['true', SECRET]);
    expect(api.application.last(RotateSecret).request.idempotencyKey).toBe('once');
  });
});

describe('the public key of callbacks', () => {
  it('can be read without a token, as a whpk_ text and as a JWK', async () => {
    const response = await api.inject({ url: '/v1/webhooks/public-key' });
    const bytes = Buffer.alloc(32, 7);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        publicKey: `whpk_${bytes.toString('base64')}`,
        jwk: {
          kty: 'OKP',
          crv: 'Ed25519',
          x: bytes.toString('base64url'),
          use: 'sig',
          alg: 'EdDSA',
          kid: expect.stringMatching(/^[\w-]{43}$/),
        },
      },
    ]);
  });

  it('has the thumbprint of the example in RFC 8037', async () => {
    api.application.setHandler(GetCallbackPublicKey, () => Buffer.from('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'base64url'));
    const response = await api.inject({ url: '/v1/webhooks/public-key' });
    expect(response.json<{ readonly jwk: { readonly kid: string } }>().jwk.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });
});
