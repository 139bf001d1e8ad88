import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { pino } from 'pino';
import { start, type RunningStore } from '../../apps/petstore/start.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../eventually.js';
import { createClient, type Client } from '../servers/client.js';
import { itOnOwnStore as it } from '../servers/store.js';
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

let text = '';
let running: RunningStore;
let client: Client;
let token: string;

beforeAll(async () => {
  // Room for what the cases write; the last one goes beyond it.
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: '60/1h', LOG_LEVEL: 'info' });
  running = await start(settings, pino({ level: 'info' }, { write: (line: string) => void (text += line) }));
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

/** What is logged of the requests that `work` sends. */
const loggedBy = async (work: () => Promise<unknown>): Promise<readonly Line[]> => {
  const mark = text.length;
  await work();
  return linesSince(mark);
};

const newPet = (headers: Record<string, string> = {}) => client.send('POST', '/v1/pets', { token, headers, body: PLAIN_PET });

describe('the log at info', () => {
  it('has one line for each request that changed something, with who did it and no query string', async () => {
    const lines = await loggedBy(async () => {
      const { id } = (await newPet()).json as { id: string };
      await client.send('DELETE', `/v1/pets/${id}`, { token });
    });
    expect(lines).toMatchObject([
      { level: INFO, msg: 'request', method: 'POST', path: '/v1/pets', status: 201, actor: 'ann' },
      { level: INFO, msg: 'request', method: 'DELETE', status: 204, actor: 'ann' },
    ]);
  });

  it('has none for what reads, is refused or is replayed', async () => {
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

  it('has ten lines a second for requests that failed, each with the cause, and the number of all others', async () => {
    const { store } = running.store;
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new StoreUnavailable('the disk is gone'));
    const mark = text.length;
    try {
      for (let n = 0; n < 25; n++) expect((await newPet()).status).toBe(503);
    } finally {
      store.append = append;
    }
    const total = await eventually('the number of the others', () => {
      const failed = linesSince(mark);
      const more = failed.filter(({ count }) => count !== undefined);
      const each = failed.filter(({ msg }) => msg === 'a request failed');
      return each.length + more.reduce((sum, { count = 0 }) => sum + count, 0) === 25 ? { each, more } : null;
    });
    expect(total.each[0]).toMatchObject({
      level: ERROR,
      status: 503,
      method: 'POST',
      path: '/v1/pets',
      err: { message: 'the disk is gone' },
    });
    expect(total.each.length).toBeLessThan(25);
    expect(total.more[0]).toMatchObject({ level: ERROR, status: '5xx' });
  });

  it('has ten lines a second for requests beyond the rate limit, and the number of all others', async () => {
    const mark = text.length;
    let refused = 0;
    for (let n = 0; n < 100; n++) if ((await client.send('GET', '/v1/pets')).status === 429) refused++;
    expect(refused).toBeGreaterThan(20);
    const lines = await eventually('the number of the others', () => {
      const all = linesSince(mark);
      return all.reduce((sum, { status, count }) => sum + (count ?? (status === 429 ? 1 : 0)), 0) === refused ? all : null;
    });
    expect(lines.filter(({ status }) => status === 429).length).toBeLessThan(refused);
    expect(lines.find(({ count }) => count !== undefined)).toMatchObject({ level: INFO, status: '429' });
  });
});
