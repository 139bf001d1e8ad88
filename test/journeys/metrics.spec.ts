import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STUCK_KINDS } from '../../libs/application/operations/stuck.js';
import { checkpointOf } from '../../libs/eventsourcing/ports/documents.port.js';
import { projections } from '../../libs/projections/projections.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { samplesOf, scrape, seriesOf, type Sample } from '../servers/prometheus-text.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

/** The number of different ids. */
const IDS = 10_000;
/** How many requests are in progress at a time. */
const AT_ONCE = 50;

let open: InProcessPetstore;
let url: string;

beforeAll(async () => {
  open = await openInProcessStore(':memory:', {}, { METRICS_PORT: '0', LOG_LEVEL: 'silent' });
  url = open.metricsUrl ?? '';
});
afterAll(async () => {
  await open.stop();
  removeFolders();
});

/** Returns the values of a metric whose labels include all of `labels`. */
const valuesOf = async (name: string, labels: Sample['labels'] = {}): Promise<readonly number[]> =>
  samplesOf(await scrape(url), name)
    .filter((sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
    .map(({ value }) => value);

/** Returns all series except those of Node. Node adds a series when a new kind of garbage collection or timer occurs. */
const seriesNow = async (): Promise<readonly string[]> =>
  samplesOf(await scrape(url))
    .filter(({ name }) => !name.startsWith('petstore_nodejs_'))
    .map(seriesOf)
    .sort();

/** Proves contract 25.6. */
describe('the metrics of a service', () => {
  it('have names that begin with petstore_, a type and a help text', async () => {
    const families = await scrape(url);
    expect(families.map(({ name }) => name).filter((name) => !/^petstore_[a-z0-9_]+$/.test(name))).toEqual([]);
    expect(families.filter(({ help }) => help === '').map(({ name }) => name)).toEqual([]);
    expect(families.length).toBeGreaterThan(20);
  });

  it('count requests by the template of their route, their method and their status', async () => {
    const route = '/v1/pets/{id}';
    for (const id of ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058', 'not-an-id'])
      await open.call('GET', `/v1/pets/${id}`);
    expect(await valuesOf('petstore_http_requests_total', { method: 'GET', route, status: '404' })).toEqual([2]);
    expect(await valuesOf('petstore_http_requests_total', { method: 'GET', route, status: '400' })).toEqual([1]);
    expect(await valuesOf('petstore_http_request_duration_seconds_count', { method: 'GET', route })).toEqual([3]);
    const [seconds = 0] = await valuesOf('petstore_http_request_duration_seconds_sum', { method: 'GET', route });
    expect(seconds).toBeGreaterThan(0);
  });

  it('count requests without a route as unmatched, and unusual methods as other', async () => {
    await open.call('GET', '/v1/dogs/1');
    await open.call('PROPFIND', '/v1/dogs/2');
    await open.call('PATCH', '/v1/pets');
    const unmatched = { route: 'unmatched' };
    expect(await valuesOf('petstore_http_requests_total', { ...unmatched, method: 'GET', status: '404' })).toEqual([1]);
    expect(await valuesOf('petstore_http_requests_total', { ...unmatched, method: 'other' })).toEqual([1]);
    expect(await valuesOf('petstore_http_requests_total', { ...unmatched, method: 'PATCH', status: '405' })).toEqual([1]);
  });

  it('count commands by their outcome, and measure appends', async () => {
    const body = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };
    const appended = async (): Promise<number> =>
      (await valuesOf('petstore_append_duration_seconds_count', { outcome: 'appended' }))[0] ?? 0;
    // The first pet of a process causes one more append, which reserves integer ids (contract 39.3).
    await open.call('POST', '/v1/pets', { body });
    const before = await appended();
    const { id } = (await open.call('POST', '/v1/pets', { body })).json;
    expect(await valuesOf('petstore_commands_total', { command: 'CreatePet', outcome: 'accepted' })).toEqual([2]);
    expect(await appended()).toBe(before + 1);
    const ordering = Array.from({ length: 5 }, () => open.call('POST', '/v1/orders', { body: { petId: id } }));
    expect((await Promise.all(ordering)).map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await valuesOf('petstore_commands_total', { command: 'ReservePet', outcome: 'accepted' })).toEqual([1]);
    expect(await valuesOf('petstore_commands_total', { command: 'ReservePet', outcome: 'pet_not_available' })).toEqual([4]);
    const total = async (name: string, labels: Sample['labels'] = {}): Promise<number> =>
      (await valuesOf(name, labels)).reduce((sum, value) => sum + value, 0);
    // Requests in parallel may conflict, also on the stream of security events.
    const conflicts = await total('petstore_append_conflicts_total');
    expect(await total('petstore_append_duration_seconds_count', { outcome: 'conflict' })).toBe(conflicts);
  });

  it('show no lag, no parked stream or key, and no altered stream', async () => {
    const zeros = async (name: string, labels: Sample['labels'] = {}): Promise<void> => expect(await valuesOf(name, labels)).toEqual([0]);
    for (const consumer of ['processes', 'announcements']) {
      // Consumers lag behind the log, and measured values are some seconds old.
      await eventually('the consumers', async () => (await valuesOf('petstore_consumer_lag_messages', { consumer }))[0] === 0);
      await zeros('petstore_parked_keys', { consumer });
    }
    for (const projection of projections.map(({ collection }) => checkpointOf(collection))) {
      await zeros('petstore_projection_lag_events', { projection });
      await zeros('petstore_projection_lag_seconds', { projection });
      await zeros('petstore_parked_streams', { reader: projection });
    }
    for (const name of ['altered_streams', 'unreadable_streams', 'log_lines_dropped_total']) await zeros(`petstore_${name}`);
    expect(await valuesOf('petstore_relay_lag_events')).toEqual([]);
    const [connections = 0] = await valuesOf('petstore_http_connections');
    expect(connections).toBeGreaterThan(0);
  });

  it('count orders by status, whatever their quantity, and what is stuck by kind', async () => {
    const other = await openInProcessStore(':memory:', {}, { METRICS_PORT: '0', LOG_LEVEL: 'silent' });
    try {
      const pet = await other.call('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 3 } });
      expect((await other.call('POST', '/v1/orders', { body: { petId: pet.json['id'], quantity: 3 } })).status).toBe(201);
      const families = await scrape(other.metricsUrl ?? '');
      const byLabel = (name: string, label: string) =>
        Object.fromEntries(samplesOf(families, name).map(({ labels, value }) => [labels[label], value]));
      expect(byLabel('petstore_orders', 'status')).toEqual({ placed: 1, approved: 0, shipped: 0, delivered: 0, cancelled: 0 });
      const none = Object.fromEntries(STUCK_KINDS.map((kind) => [kind, 0]));
      expect([byLabel('petstore_stuck', 'kind'), byLabel('petstore_stuck_oldest_seconds', 'kind')]).toEqual([none, none]);
    } finally {
      await other.stop();
    }
  });

  it('show the delay of the event loop', async () => {
    expect(await valuesOf('petstore_nodejs_eventloop_lag_p99_seconds')).toEqual([expect.any(Number)]);
    expect(await valuesOf('petstore_process_cpu_seconds_total')).toEqual([expect.any(Number)]);
  });

  it(`have the same number of series after requests with ${IDS.toLocaleString('en')} different ids, tenants and paths`, async () => {
    const idOf = (n: number): string => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`;
    const read = async (n: number): Promise<void> => {
      await open.call('GET', `/v1/pets/${idOf(n)}`, { headers: { 'x-tenant-id': `tenant-${n}` } });
    };
    await read(0);
    await open.call('GET', '/v1/dogs/0');
    const before = await seriesNow();
    const counted = { method: 'GET', route: '/v1/pets/{id}' };
    const [first = 0] = await valuesOf('petstore_http_request_duration_seconds_count', counted);
    for (let n = 1; n <= IDS; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, next) => read(n + next)));
    for (let n = 1; n <= AT_ONCE; n++) await open.call('GET', `/v1/dogs/${n}?page=${n}`);
    expect(await valuesOf('petstore_http_request_duration_seconds_count', counted)).toEqual([first + IDS]);
    expect(await seriesNow()).toEqual(before);
  });
});

describe('the listener of the metrics', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/metrics/more'],
    ['GET', '/v1/pets'],
    ['POST', '/metrics'],
    ['HEAD', '/'],
    ['HEAD', '/metrics/more'],
  ])('answers %s %s with 404', async (method, path) => {
    const response = await fetch(new URL(path, url), { method });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe(method === 'HEAD' ? '' : 'not found: request GET /metrics\n');
  });

  it('answers HEAD /metrics like GET, without the body', async () => {
    const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
    expect([head.status, await head.text(), head.headers.get('content-type')]).toEqual([200, '', get.headers.get('content-type')]);
    await get.text();
  });

  it('is on the loopback address, and stops with the service', async () => {
    const other = await openInProcessStore(':memory:', {}, { METRICS_PORT: '0', LOG_LEVEL: 'silent' });
    const address = other.metricsUrl ?? '';
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect(await scrape(address)).not.toEqual([]);
    await other.stop();
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  });

  it('does not exist without METRICS_PORT', async () => {
    const other = await openInProcessStore(':memory:', {}, { LOG_LEVEL: 'silent' });
    expect(other.metricsUrl).toBeNull();
    await other.stop();
  });
});

describe('a port for metrics that is in use', () => {
  it('fails the start, with one line', async () => {
    const { port } = new URL(url);
    const { code, stderr } = await runPetstore(['start'], { dataDir: newFolder(), env: { METRICS_PORT: port } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `port ${port} on 127.0.0.1 is in use: choose another, for example METRICS_PORT=${Number(port) + 1}\n`,
    });
  });
});
