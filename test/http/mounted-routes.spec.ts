import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { pino } from 'pino';
import { ADDRESSES } from '../../apps/api/oauth/addresses.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { createClient, type Client } from '../servers/client.js';
import { itOnOwnPetstore as it } from '../servers/test-petstore.js';

/** Bytes: the limit of contract 26.1. */
const LARGEST_BODY = 1_048_576;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const { token, refresh, deviceAuthorize, device, revocation, introspection } = ADDRESSES;
const FORMS = [token, refresh, deviceAuthorize, device, revocation, introspection];
const { openidDiscovery, oauthDiscovery, jwks, authorize, userinfo, interaction } = ADDRESSES;
const PAGES = [openidDiscovery, oauthDiscovery, jwks, authorize, device, userinfo, `${interaction}/unknown`];

let text = '';
let running: RunningPetstore;
let client: Client;
beforeAll(async () => {
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: '1000/1h', LOG_LEVEL: 'debug' });
  const log = pino({ level: 'debug' }, { write: (line: string) => void (text += line) });
  running = await start(settings, log, { linkUser: 'ann' });
  client = createClient(running.url);
});
afterAll(async () => {
  client.close();
  await running.stop();
});

/** Proves contract 4.1, contract 4.9, contract 25.5, contract 32.1 and contract 43.11. */
describe('an address that is mounted beside the operations', () => {
  it.each([...PAGES.map((path) => ['GET', path]), ...[...FORMS, '/ops/link'].map((path) => ['POST', path])])(
    'has the general headers, and a line in the log without the query and the form: %s %s',
    async (method = '', path = '') => {
      const mark = text.length;
      const form = method === 'POST' ? { headers: FORM, raw: 'secret=canary' } : {};
      const { headers, status } = await client.send(method, `${path}?secret=canary`, form);
      expect(status).toBeLessThan(500);
      expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
      const lines = text
        .slice(mark)
        .split('\n')
        .filter((line) => line.includes(String(headers['x-request-id'])));
      expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
        expect.objectContaining({ msg: 'request', method, path, status }),
      );
      expect(text.slice(mark)).not.toContain('canary');
    },
  );

  it.each(FORMS)('accepts a form of at most 1 MiB: %s', async (path) => {
    const send = (bytes: number) => client.send('POST', path, { headers: FORM, raw: 'x'.repeat(bytes) });
    expect((await send(LARGEST_BODY)).status).not.toBe(413);
    expect((await send(LARGEST_BODY + 1)).status).toBe(413);
  });

  it.each([...FORMS, '/ops/link'])('does not have other methods: %s', async (path) => {
    const { status, headers } = await client.send('PUT', path, { headers: FORM, raw: 'a=b' });
    expect([status, headers['allow']]).toEqual([405, expect.stringContaining('POST')]);
  });
});
