import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRead } from '../../apps/api/http/operation.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';

const ELSEWHERE = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(() => service.stop());

/** An id that nothing has: a request that is let in would be 404 or 422, and not 401. */
const NOTHING = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

/** What operators and staff do: a page of another site has no token for it, and no cookie gives one. */
const ACTIONS = Object.values(OPERATIONS).filter((operation) => !isRead(operation) && typeof operation.access.documented === 'object');

/** Proves contract 5.4 and contract 43.11. */
describe('a request of a page of another site', () => {
  it('finds operations that act', () => expect(ACTIONS.length).toBeGreaterThan(35));

  it.each(ACTIONS)('does nothing by $id', async (operation) => {
    const address = operation.path.replaceAll(/\{\w+\}/g, NOTHING);
    // The types of content that a page may send elsewhere without asking, with the cookies that a browser may have.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      const headers = { ...ELSEWHERE, 'content-type': type, cookie: `session=${NOTHING}; token=${NOTHING}; __Host-session=${NOTHING}` };
      const { status } = await service.request(operation.method, address, { headers, body: {} });
      expect([type, status]).toEqual([type, 401]);
    }
  });

  it('may not send what browsers keep for this one', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const { headers } = await service.request('OPTIONS', '/v1/ops/parked/retry', { headers: { ...ELSEWHERE, ...asked } });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
});
