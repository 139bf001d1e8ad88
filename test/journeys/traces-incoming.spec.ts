import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { addClient } from '../http/oauth-people.js';
import { openCollector, type CollectedSpan, type Collector } from '../servers/collector.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';

const CALLER = { traceId: '11112222333344445555666677778888', spanId: 'aaaabbbbccccdddd' };
const SAMPLED = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const NOT_SAMPLED = SAMPLED.replace(/1$/, '0');
const PET = { name: 'Rex', species: 'DOG', ageMonths: 3 };
const ROUTE = 'GET /v1/pets';

let collector: Collector;
let service: OwnPetstore;
let receiver: Receiver | undefined;
afterEach(async () => {
  await service.stop();
  await Promise.all([collector.receiver.close(), receiver?.close()]);
  receiver = undefined;
});

const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  collector = await openCollector();
  service = await startOwnPetstore({ ...collector.settings, TRACE_INCOMING: 'continue', ...settings });
};

/** Reads pets with a traceparent, and returns the span of the request. */
const spanOfRead = async (token?: string, traceparent = SAMPLED): Promise<CollectedSpan> => {
  const spans = (): readonly CollectedSpan[] => collector.spans().filter(({ name }) => name === ROUTE);
  const before = spans().length;
  expect((await service.request('GET', '/v1/pets', { token, headers: { traceparent } })).status).toBe(200);
  return eventually('the span of the request', () => spans()[before]);
};

const continued = { traceId: CALLER.traceId, parentSpanId: CALLER.spanId, links: [] };
const linked = { traceId: expect.not.stringMatching(CALLER.traceId), links: [CALLER] };

/** Proves contract 25.8. */
describe('with TRACE_INCOMING=continue, the trace of a caller', () => {
  it('is continued for a token with ops, and for a program; for others it is a link', async () => {
    await start({});
    expect(await spanOfRead(await service.token('ops'))).toMatchObject(continued);
    expect(await spanOfRead(await service.token('read:pets write:pets'))).toMatchObject(linked);
    expect(await spanOfRead()).toMatchObject(linked);
    const program = await addClient(
      service,
      { program: true, scopes: ['read:pets'], redirectUris: [] },
      { token: await service.token('ops read:pets') },
    );
    const credentials = Buffer.from(`${program.id}:${program.secret}`).toString('base64');
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const answer = await fetch(`${service.url}/oauth/token`, { method: 'POST', headers: { authorization: `Basic ${credentials}` }, body });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    expect(await spanOfRead(token)).toMatchObject(continued);
    expect(await spanOfRead(token, 'no traceparent')).toMatchObject({ traceId: linked.traceId, links: [] });
  });

  it('is continued for a peer in TRUSTED_PROXIES, whether or not it is sampled there', async () => {
    await start({ TRUSTED_PROXIES: '10.0.0.0/8,127.0.0.1' });
    expect(await spanOfRead()).toMatchObject(continued);
    expect(await spanOfRead(undefined, NOT_SAMPLED)).toMatchObject(continued);
  });

  it('is in the events of the request, and never reaches a webhook', async () => {
    await start({});
    receiver = await openReceiver();
    const token = await service.token('write:pets write:webhooks ops');
    const webhook = { url: receiver.url, events: ['pet.statusChanged'] };
    expect((await service.request('POST', '/v1/webhooks', { token, body: webhook })).status).toBe(201);
    const headers = { traceparent: SAMPLED, tracestate: `vendor=${CALLER.spanId}`, baggage: `trace=${CALLER.traceId}` };
    expect((await service.request('POST', '/v1/pets', { token, body: PET, headers })).status).toBe(201);
    const hooks = receiver;
    await eventually('the webhook', () => hooks.received.length > 0);
    const delivery = await collector.waitFor('deliver pet.statusChanged');
    expect(delivery.traceId).toBe(CALLER.traceId);
    const sent = JSON.stringify(hooks.received);
    for (const text of [CALLER.traceId, CALLER.spanId, 'traceparent', 'tracestate', 'baggage']) expect(sent).not.toContain(text);
  });

  it.each([
    ['the sampler drops it', { OTEL_TRACES_SAMPLER: 'always_off' }],
    ['the sampler drops every new trace', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }],
    ['its share is 0', { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }],
  ])('is not recorded if %s, although the caller samples it', async (_, settings) => {
    await start({ TRUSTED_PROXIES: '127.0.0.1', ...settings });
    expect((await service.request('GET', '/v1/pets', { headers: { traceparent: SAMPLED } })).status).toBe(200);
    await service.stop();
    expect(collector.spans()).toEqual([]);
  });
});

it('without TRACE_INCOMING, the trace of a caller is a link for everybody', async () => {
  await start({ TRUSTED_PROXIES: '127.0.0.1', TRACE_INCOMING: '' });
  expect(await spanOfRead(await service.token('ops'))).toMatchObject(linked);
});
