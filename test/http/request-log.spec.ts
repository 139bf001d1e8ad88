import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { pino } from 'pino';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { createClient, type Client } from '../servers/client.js';
import { itOnOwnPetstore as it } from '../servers/test-petstore.js';
import { PLAIN_PET } from './shop.js';

type Line = {
  readonly msg: string;
  readonly level: number;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number | string;
  readonly count?: number;
};

const INFO = 30;
const ERROR = 50;
const SECOND = 1_000;

/** Seconds and windows of the rate limit end only when a test advances this clock. */
const clock = manualClock();

let text = '';
let running: RunningPetstore;
let client: Client;
let token: string;

beforeAll(async () => {
  // Only the last test exceeds this rate limit. All other tests together stay below it.
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: '60/1h', LOG_LEVEL: 'info' });
  running = await start(settings, pino({ level: 'info' }, { write: (line: string) => void (text += line) }), { clock });
  client = createClient(running.url);
  const tokens = await openTokens(running.store.keys, running.store.clock);
  token = await tokens.sign({ subject: 'ann', scopes: ['write:pets', 'read:pets'], expiresInSeconds: 600 });
});
afterAll(async () => {
  client.close();
  await running.stop();
});

const linesSince = (mark: number): readonly Line[] =>
  text
    .slice(mark)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** Returns the lines that are logged during `work`. */
const loggedBy = async (work: () => Promise<unknown>): Promise<readonly Line[]> => {
  const mark = text.length;
  await work();
  return linesSince(mark);
};

const newPet = (headers: Record<string, string> = {}) => client.send('POST', '/v1/pets', { token, headers, body: PLAIN_PET });

/** Proves contract 25.5. */
describe('the log at info', () => {
  it('has one line for each request that changed something, with the caller and without the query', async () => {
    const lines = await loggedBy(async () => {
      const { id } = (await newPet()).json as { id: string };
      await client.send('DELETE', `/v1/pets/${id}`, { token });
    });
    expect(lines).toMatchObject([
      { level: INFO, msg: 'request', method: 'POST', path: '/v1/pets', status: 201, actor: 'ann' },
      { level: INFO, msg: 'request', method: 'DELETE', status: 204, actor: 'ann' },
    ]);
  });

  it('has no line for reads, rejected requests and replayed responses', async () => {
    const headers = { 'idempotency-key': 'once' };
    await newPet(headers);
    const lines = await loggedBy(async () => {
      expect((await newPet(headers)).status).toBe(201);
      expect((await client.send('GET', '/v1/pets?species=dog')).status).toBe(200);
      expect((await client.send('QUERY', '/v1/pets', { body: {} })).status).toBe(200);
      expect((await client.send('POST', '/v1/pets/search', { body: {} })).status).toBe(200);
      expect((await client.send('POST', '/v1/pets', { body: PLAIN_PET })).status).toBe(401);
      expect((await client.send('POST', '/v1/pets?secret=1', { token, body: { name: '' } })).status).toBeGreaterThanOrEqual(400);
    });
    expect(lines).toEqual([]);
    expect(text).not.toContain('secret=1');
  });

  it('has at most ten lines a second for failed requests, each with its cause, and the number of suppressed lines', async () => {
    const { store } = running.store;
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new StoreUnavailable('the disk is gone'));
    const mark = text.length;
    try {
      for (let n = 0; n < 25; n++) expect((await newPet()).status).toBe(503);
    } finally {
      store.append = append;
    }
    const failed = { level: ERROR, msg: 'a request failed', status: 503, method: 'POST', path: '/v1/pets' };
    const withCause = { ...failed, err: expect.objectContaining({ message: 'the disk is gone' }) };
    expect(linesSince(mark)).toEqual(Array(10).fill(expect.objectContaining(withCause)));
    const end = text.length;
    clock.advance(SECOND);
    expect(linesSince(end)).toMatchObject([{ level: ERROR, status: '5xx', count: 15 }]);
  });

  it('has at most ten lines a second for requests beyond the rate limit, and the number of suppressed lines', async () => {
    const mark = text.length;
    let rejected = 0;
    for (let n = 0; n < 100; n++) if ((await client.send('GET', '/v1/pets')).status === 429) rejected++;
    expect(rejected).toBeGreaterThan(20);
    expect(linesSince(mark)).toEqual(Array(10).fill(expect.objectContaining({ level: INFO, msg: 'request', status: 429 })));
    const end = text.length;
    clock.advance(SECOND);
    expect(linesSince(end)).toMatchObject([{ level: INFO, status: '429', count: rejected - 10 }]);
  });
});
