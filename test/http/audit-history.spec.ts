import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { MAKERS, type SendRequest, type MakerContext } from './resources.js';
import { newUser, PRICED_PET } from './shop.js';

type Change = { readonly field: string; readonly from?: unknown; readonly to?: unknown };
type Event = {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly time: string;
  readonly actor: string;
  readonly requestId?: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly changes: readonly Change[];
};
type History = { readonly data: readonly Event[]; readonly pagination: object; readonly links: { readonly next: string | null } };
type State = { readonly revision: number; readonly time: string; readonly state: Readonly<Record<string, unknown>> };

let service: TestPetstore;
/** Sends requests as staff of the tenant. */
let asStaff: SendRequest;
/** Sends requests with the scope `audit:read` only. */
let asAuditor: SendRequest;
/** Sends requests with the scopes `audit:read` and `ops`. */
let asOperator: SendRequest;
const tenant = randomUUID();

const callerWith = async (scopes: string, tenantId = tenant): Promise<SendRequest> => {
  const token = await service.token(scopes, { tenant: tenantId });
  return (method, path, options) => service.request(method, path, { token, ...options });
};

beforeAll(async () => {
  service = await startTestPetstore();
  asStaff = await callerWith('write:pets write:orders write:webhooks ops audit:read');
  asAuditor = await callerWith('audit:read');
  asOperator = await callerWith('audit:read ops');
});
afterAll(() => service.stop());

const makerContext = (): MakerContext => ({ request: asStaff, receiver: 'http://127.0.0.1:1', owner: 'staff' });
const historyOf = async (stream: string, by = asAuditor, query = '') =>
  (await by<History>('GET', `/v1/audit/streams/${stream}${query}`)).json;
const stateOf = async (path: string, by = asAuditor) => (await by<State>('GET', `/v1/audit/${path}`)).json;

const makePet = async (): Promise<string> =>
  (await asStaff<{ id: string }>('POST', '/v1/pets', { body: PRICED_PET, headers: { 'x-request-id': 'listing-1' } })).json.id;
const setStatus = (id: string, status: string) => asStaff('PUT', `/v1/pets/${id}`, { body: { ...PRICED_PET, status } });

/** Proves contract 35.11. */
describe('the history of a resource', () => {
  it('has every event with its cause and what it changed', async () => {
    const id = await makePet();
    await setStatus(id, 'NOT_AVAILABLE');
    await asStaff('DELETE', `/v1/pets/${id}`);
    const { data } = await historyOf(`pet-${id}`);
    expect(data.map(({ type, revision, actor, stream }) => [type, revision, actor, stream])).toEqual([
      ['PetListed', 0, 'staff', `pet-${id}`],
      ['PetStatusSet', 1, 'staff', `pet-${id}`],
      ['PetRetired', 2, 'staff', `pet-${id}`],
    ]);
    const [listed, set, retired] = data;
    expect(listed).toMatchObject({ requestId: 'listing-1', correlationId: 'listing-1', causationId: 'listing-1' });
    expect(listed?.changes).toContainEqual({ field: 'name', to: PRICED_PET.name });
    expect(set?.changes).toEqual([
      { field: 'status', from: 'AVAILABLE', to: 'NOT_AVAILABLE' },
      { field: 'updatedAt', from: listed?.time, to: set?.time },
    ]);
    expect(retired?.changes).toContainEqual({ field: 'name', from: PRICED_PET.name });
  });

  it('is divided into pages', async () => {
    const id = await makePet();
    for (const status of ['NOT_AVAILABLE', 'AVAILABLE', 'NOT_AVAILABLE', 'AVAILABLE']) await setStatus(id, status);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => historyOf(`pet-${id}`, asAuditor, `?page=${page}&limit=2`)));
    expect(pages.map(({ data }) => data.map(({ revision }) => revision))).toEqual([[0, 1], [2, 3], [4], []]);
    expect(pages[0]?.pagination).toEqual({ page: 1, limit: 2, totalItems: 5, totalPages: 3 });
    expect(pages[1]?.data[0]?.changes[0]).toEqual({ field: 'status', from: 'NOT_AVAILABLE', to: 'AVAILABLE' });
  });

  it('of an order includes its payments in log order, without the gateway’s reference', async () => {
    const { id } = await MAKERS['paid order'](makerContext());
    const { data } = await historyOf(`order-${id}`, asOperator);
    expect(data.map(({ type }) => type)).toEqual([
      'OrderPlaced',
      'OrderPaymentStarted',
      'PaymentRequested',
      'PaymentSucceeded',
      'OrderApproved',
    ]);
    const [, started, , succeeded, approved] = data;
    expect(approved?.causationId).toBe(succeeded?.id);
    expect(approved?.changes).toEqual([
      { field: 'status', from: 'placed', to: 'approved' },
      { field: 'paymentStatus', from: 'processing', to: 'succeeded' },
      { field: 'updatedAt', from: started?.time, to: approved?.time },
    ]);
    expect(started?.data).toMatchObject({ amount: '250.00', source: { object: 'card' } });
    expect(JSON.stringify(data)).not.toContain('"reference"');
  });

  it.each(['pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', 'pet', 'security-2026-01-02', 'username-x', 'constructor-1', 'webhookslots-shared'])(
    'of %s does not exist',
    async (stream) => expectProblem(await asAuditor('GET', `/v1/audit/streams/${stream}`), 404, 'not-found'),
  );

  it('of another tenant does not exist', async () => {
    const id = await makePet();
    const stranger = await callerWith('audit:read ops', randomUUID());
    expectProblem(await stranger('GET', `/v1/audit/streams/pet-${id}`), 404, 'not-found');
    expectProblem(await stranger('GET', `/v1/audit/pets/${id}`), 404, 'not-found');
  });
});

/** Proves contract 35.12. */
describe('the state of a resource', () => {
  it('is the state after the last event up to the requested time or revision', async () => {
    const id = await makePet();
    await setStatus(id, 'NOT_AVAILABLE');
    await setStatus(id, 'AVAILABLE');
    const { data } = await historyOf(`pet-${id}`);
    const statuses = ['AVAILABLE', 'NOT_AVAILABLE', 'AVAILABLE'];
    for (const { revision, time } of data) {
      const { state, ...rest } = await stateOf(`pets/${id}?revision=${revision}`);
      expect([rest, state['status']]).toEqual([{ stream: `pet-${id}`, revision, time }, statuses[revision]]);
      const last = data.findLast((event) => event.time <= time)?.revision ?? -1;
      expect((await stateOf(`pets/${id}?asOf=${time}`)).revision).toBe(last);
    }
    expect((await stateOf(`pets/${id}`)).state).toEqual((await asStaff('GET', `/v1/pets/${id}`)).json);
    const before = new Date(Date.parse(data[0]?.time ?? '') - 1).toISOString();
    for (const moment of [`asOf=${before}`, 'revision=3'])
      expectProblem(await asAuditor('GET', `/v1/audit/pets/${id}?${moment}`), 404, 'not-found');
  });

  it('accepts a time with an offset and more than three decimals', async () => {
    const id = await makePet();
    const { time } = await stateOf(`pets/${id}`);
    const local = new Date(Date.parse(time) + 3_600_000).toISOString().replace('Z', '999+01:00');
    expect((await stateOf(`pets/${id}?asOf=${encodeURIComponent(local)}`)).revision).toBe(0);
  });

  it('does not exist after the deletion, and can be read at earlier revisions', async () => {
    const id = await makePet();
    await asStaff('DELETE', `/v1/pets/${id}`);
    expectProblem(await asAuditor('GET', `/v1/audit/pets/${id}`), 404, 'not-found');
    expect((await stateOf(`pets/${id}?revision=0`)).state['status']).toBe('AVAILABLE');
  });

  it('cannot be requested by time and revision together', async () => {
    const path = `/v1/audit/pets/${await makePet()}?asOf=2026-01-02T03:04:05Z&revision=0`;
    expectProblem(await asAuditor('GET', path), 422, 'validation-failed', { revision: ['mismatch'] });
  });

  it('can be read for orders and payments too', async () => {
    const { id } = await MAKERS['shipped order'](makerContext());
    expect((await stateOf(`orders/${id}?revision=0`)).state).toMatchObject({ id, status: 'placed', complete: false });
    expect((await stateOf(`orders/${id}`)).state).toMatchObject({ id, status: 'shipped' });
    const payment = (await asStaff<{ id: string }>('GET', `/v1/orders/${id}/payment`)).json;
    expect((await stateOf(`payments/${payment.id}`, asOperator)).state).toEqual(payment);
    expect((await stateOf(`payments/${payment.id}?revision=0`)).state['status']).toBe('processing');
  });
});

/** Proves contract 35.10. */
describe('personal values', () => {
  const makeUser = async () => {
    const body = { ...newUser(), firstName: 'Ann' };
    const { id } = (await asStaff<{ id: string }>('POST', '/v1/users', { body })).json;
    await asStaff('PUT', `/v1/users/${id}`, { body: { firstName: 'Anna' } });
    return { id, ...body };
  };
  const changed = ({ data }: History) => data[1]?.changes.filter(({ field }) => field !== 'updatedAt');

  it('are shown with the scope ops, and withheld without it', async () => {
    const { id, username } = await makeUser();
    const stream = `user-${id}`;
    expect(changed(await historyOf(stream, asOperator))).toEqual([{ field: 'firstName', from: 'Ann', to: 'Anna' }]);
    const withheld = { withheld: true };
    const seen = await historyOf(stream);
    expect(changed(seen)).toEqual([{ field: 'firstName', from: withheld, to: withheld }]);
    expect(seen.data[0]?.data).toMatchObject({ username: withheld, firstName: withheld });
    expect(JSON.stringify(seen)).not.toContain(username);
    expect((await stateOf(`users/${id}?revision=0`)).state).toMatchObject({ id, username: withheld });
    expect((await stateOf(`users/${id}?revision=0`, asOperator)).state).toMatchObject({ username, firstName: 'Ann' });
  });

  it('are null in past states and in the history after an erasure', async () => {
    const { id, username, email } = await makeUser();
    await asStaff('DELETE', `/v1/users/${id}`);
    expectProblem(await asOperator('GET', `/v1/audit/users/${id}`), 404, 'not-found');
    for (const by of [asOperator, asAuditor]) {
      expect((await stateOf(`users/${id}?revision=0`, by)).state).toMatchObject({ id, username: null, email: null, firstName: null });
      const text = JSON.stringify(await historyOf(`user-${id}`, by));
      for (const personal of [username, email, 'Ann']) expect(text).not.toContain(personal);
    }
  });
});
