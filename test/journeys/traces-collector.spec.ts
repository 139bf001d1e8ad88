import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openTracing } from '../../apps/petstore/composition/observing/open-tracing.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { silentLog } from '../silent-log.js';
import { openCollector, type Collector } from '../servers/collector.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

/** A time limit of an hour for sending spans. With it, whatever waits for a silent collector never ends, and the test fails. */
const NO_LIMIT = { OTEL_EXPORTER_OTLP_TIMEOUT: '3600000' };
const REQUESTS = 100;

const PET = { name: 'Rex', species: 'DOG', ageMonths: 3 };

let stop: () => Promise<void> = () => Promise.resolve();
afterEach(async () => {
  await stop();
  stop = () => Promise.resolve();
});

const start = async (settings: Readonly<Record<string, string>>): Promise<InProcessPetstore> => {
  const open = await openInProcessStore(':memory:', {}, { LOG_LEVEL: 'info', ...settings });
  stop = () => open.stop();
  return open;
};

/** Adds a pet, and returns the traceparent in the metadata of its event. */
const addPet = async ({ call, store }: InProcessPetstore): Promise<string | undefined> => {
  const { status, json } = await call('POST', '/v1/pets', { body: PET });
  expect(status).toBe(201);
  const [event] = await store.store.readStream(`pet-${String(json['id'])}`);
  return (JSON.parse(event?.metadata ?? '{}') as { readonly traceparent?: string }).traceparent;
};

const tracingLines = ({ lines }: InProcessPetstore): readonly string[] =>
  lines.filter((line) => line.includes('spans')).map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

const stopNow = async (open: InProcessPetstore): Promise<void> => {
  stop = () => Promise.resolve();
  await open.stop();
};

/** Proves contract 25.8. */
describe('a collector that never responds', () => {
  let collector: Receiver;
  beforeAll(async () => {
    collector = await openReceiver();
    collector.respondWith(() => null);
  });
  afterAll(() => collector.close());

  it('delays no request and no webhook, also if more spans wait than the queue has room for', async () => {
    const queue = { OTEL_BSP_MAX_QUEUE_SIZE: '20', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10', OTEL_BSP_SCHEDULE_DELAY: '1' };
    const open = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...NO_LIMIT, ...queue });
    const hooks = await openReceiver();
    await open.call('POST', '/v1/webhooks', { body: { url: hooks.url, events: ['pet.statusChanged'] } });
    for (let n = 0; n < REQUESTS; n++) expect(await addPet(open)).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    await eventually('the webhooks', () => hooks.received.length >= REQUESTS);
    // The first spans have had no response yet.
    expect(collector.received).toHaveLength(1);
    await stopNow(open);
    expect(tracingLines(open)).toEqual(['the last spans were not sent: the collector did not respond']);
    await hooks.close();
  });
});

describe('a collector that cannot be reached', () => {
  it('is reported once, and the end of the outage too', async () => {
    const collector = await openCollector();
    collector.receiver.respondWith(() => ({ status: 400 }));
    const open = await start(collector.settings);
    for (let failures = 0; failures < 3; failures++) {
      const { length } = collector.receiver.received;
      await addPet(open);
      await eventually('a failed export', () => collector.receiver.received.length > length);
    }
    await eventually('the line', () => tracingLines(open).length > 0);
    collector.receiver.respondWith(() => ({ status: 200, body: '{}' }));
    await addPet(open);
    await eventually('the end of the outage', () => tracingLines(open).length > 1);
    expect(tracingLines(open)).toEqual([
      'spans could not be sent to the collector and are dropped',
      'spans are sent to the collector again',
    ]);
    await open.stop();
    stop = () => Promise.resolve();
    await collector.receiver.close();
  });

  it('is also one that rejects a part of the spans', async () => {
    const collector = await openCollector();
    const answer = (body: object) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const rejects = (rejectedSpans: string) => answer({ partialSuccess: { rejectedSpans, errorMessage: 'attribute too long' } });
    collector.receiver.respondWith(() => rejects('1'));
    const open = await start(collector.settings);
    await addPet(open);
    await eventually('the warning', () => tracingLines(open).length > 0);
    // A warning of the collector about spans that it took.
    collector.receiver.respondWith(() => rejects('0'));
    await addPet(open);
    await eventually('the end of the outage', () => tracingLines(open).length > 1);
    expect(tracingLines(open)).toEqual([
      'spans could not be sent to the collector and are dropped',
      'spans are sent to the collector again',
    ]);
    expect(open.lines.find((line) => line.includes('could not be sent'))).toContain('rejected 1 of');
    await stopNow(open);
    await collector.receiver.close();
  });

  it('does not prevent the start, or delay the stop', async () => {
    const gone = await openReceiver();
    await gone.close();
    const open = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url, ...NO_LIMIT });
    await addPet(open);
    await stopNow(open);
  });
});

it.each(['', '/', '/v1/traces', '/v1/traces/'])('OTEL_EXPORTER_OTLP_ENDPOINT with %j at its end is the address /v1/traces', async (end) => {
  const collector = await openCollector();
  const open = await start({ ...collector.settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.receiver.url + end });
  await addPet(open);
  expect((await eventually('the spans', () => collector.receiver.received[0])).path).toBe('/v1/traces');
  await stopNow(open);
  await collector.receiver.close();
});

describe('a stop', () => {
  it('sends the last spans', async () => {
    const collector = await openCollector();
    const open = await start({ ...collector.settings, OTEL_BSP_SCHEDULE_DELAY: '3600000' });
    const traceparent = await addPet(open);
    expect(collector.receiver.received).toEqual([]);
    await stopNow(open);
    expect(collector.spans().map(({ traceId }) => traceId)).toContain(traceparent?.slice(3, 35));
    await collector.receiver.close();
  });
});

describe('a request that is not traced', () => {
  let collector: Collector;
  beforeAll(async () => void (collector = await openCollector()));
  afterAll(() => collector.receiver.close());

  it.each([
    ['without a collector', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['with OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true' }],
    ['with OTEL_TRACES_EXPORTER=none', { OTEL_TRACES_EXPORTER: 'none' }],
    ['if the sampler drops it', { OTEL_TRACES_SAMPLER: 'always_off' }],
    ['if its share is 0', { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }],
  ])('sends no spans and adds no trace to its events %s', async (_, settings) => {
    const open = await start({ ...collector.settings, ...settings });
    expect(await addPet(open)).toBeUndefined();
    expect((await open.call('GET', '/health/live')).status).toBe(200);
    await stopNow(open);
    expect(collector.receiver.received).toEqual([]);
  });

  it.each([{}, { OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('does not load the SDK with %j', async (settings) => {
    const env = 'OTEL_SDK_DISABLED' in settings || 'OTEL_TRACES_EXPORTER' in settings ? { ...collector.settings, ...settings } : {};
    expect(await openTracing(parseSettings(env), silentLog)).toBeNull();
  });
});

describe('the spans of a service', () => {
  it('are sent as protobuf unless JSON is set, with the headers and the resource of the environment', async () => {
    const receiver = await openReceiver();
    const variables = { OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=k1', OTEL_SERVICE_NAME: 'shop', OTEL_RESOURCE_ATTRIBUTES: 'team=pets' };
    Object.assign(process.env, variables);
    try {
      receiver.respondWith(() => ({ status: 200 }));
      const open = await start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/custom`, OTEL_BSP_SCHEDULE_DELAY: '1' });
      await addPet(open);
      const { path, headers, body } = await eventually('the spans', () => receiver.received[0]);
      expect({ path, type: headers['content-type'], key: headers['x-api-key'] }).toEqual({
        path: '/custom',
        type: 'application/x-protobuf',
        key: 'k1',
      });
      for (const text of ['POST /v1/pets', 'service.name', 'shop', 'team', 'pets']) expect(body).toContain(text);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      await stop();
      stop = () => Promise.resolve();
      await receiver.close();
    }
  });
});
