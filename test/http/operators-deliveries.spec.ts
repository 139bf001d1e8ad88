import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { ALL_SCOPES } from './callers.js';
import { expectProblem } from './problems.js';
import { MAKERS, type SendRequest } from './resources.js';

type Delivery = { readonly id: string; readonly tenant: string; readonly status: string; readonly createdAt: string };
type Page = { readonly data: readonly Delivery[]; readonly next: string | null };

let service: TestPetstore;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver] = [await startTestPetstore(), await openReceiver()];
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** Makes deliveries in two new tenants. Returns their ids by tenant. */
const makeDeliveries = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const made = new Map<string, string[]>();
  for (const tenant of [randomUUID(), randomUUID()]) {
    const token = await service.token(ALL_SCOPES, { tenant });
    const request: SendRequest = (method, path, options) => service.request(method, path, { token, ...options });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await MAKERS.delivery({ request, receiver: receiver.url, owner: '' })).deliveryId ?? '');
    made.set(tenant, ids);
  }
  return made;
};

/** Proves contract 43.13. */
describe('the deliveries of all tenants', () => {
  it('are listed newest first, in pages that miss none and repeat none, without what is sent', async () => {
    const made = await makeDeliveries();
    const token = await service.token('ops');
    const read = async (query: string) => (await service.request<Page>('GET', `/v1/ops/deliveries?${query}`, { token })).json;
    const found: Delivery[] = [];
    for (let next: string | null = ''; next !== null && found.length < 1_000;) {
      const page: Page = await read(`status=delivered&limit=2${next === '' ? '' : `&after=${next}`}`);
      found.push(...page.data);
      ({ next } = page);
    }
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const times = found.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const [tenant, ids] of made) expect(found.filter((one) => one.tenant === tenant).map(({ id }) => id)).toEqual(ids.toReversed());
    for (const delivery of found) expect(delivery).not.toHaveProperty('request');
    expect((await read('limit=100')).data.map(({ id }) => id)).toEqual(expect.arrayContaining([...made.values()].flat()));
    expect((await read('status=parked')).data.filter(({ status }) => status !== 'parked')).toEqual([]);
  });

  it.each(['x', '2026-01-02', '2026-01-02T03:04:05.678Z_'])('reject the cursor %s', async (after) => {
    const token = await service.token('ops');
    const response = await service.request('GET', `/v1/ops/deliveries?after=${after}`, { token });
    expectProblem(response, 400, 'invalid-request', { after: 'INVALID_FORMAT' });
  });
});
