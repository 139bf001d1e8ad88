import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { MAKERS, type SendRequest } from './resources.js';
import { card, newUser, PRICED_PET } from './shop.js';

type Event = {
  readonly stream: string;
  readonly type: string;
  readonly time: string;
  readonly tenant: string;
  readonly correlationId: string;
  readonly data: Readonly<Record<string, unknown>>;
};
type Delivery = { readonly eventType: string; readonly webhookId?: string; readonly orderId?: string; readonly status: string };
type Consequence = Event & {
  readonly changes: readonly { readonly field: string }[];
  readonly message: Readonly<Record<string, string>> | null;
  readonly deliveries: readonly Delivery[];
};
type Page<T> = { readonly data: readonly T[]; readonly next: string | null };

let service: TestPetstore;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestPetstore();
  receiver = await openReceiver();
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** Opens a new tenant with three callers: staff, an auditor, and an operator (an auditor who also has the scope `ops`). */
const openTenant = async () => {
  const tenant = randomUUID();
  const callerWith = async (scopes: string): Promise<SendRequest> => {
    const token = await service.token(scopes, { tenant });
    return (method, path, options) => service.request(method, path, { token, ...options });
  };
  const asStaff = await callerWith('write:pets write:orders write:webhooks ops audit:read');
  const asAuditor = await callerWith('audit:read');
  const list = async (query: string, by = asAuditor) => (await by<Page<Event>>('GET', `/v1/audit/events?${query}`)).json;
  const makePet = async () => (await asStaff<{ id: string }>('POST', '/v1/pets', { body: PRICED_PET })).json.id;
  return { tenant, asStaff, asAuditor, asOperator: await callerWith('audit:read ops'), list, makePet };
};

/** Proves contract 35.13. */
describe('the log', () => {
  it('has the events of the tenant in order, in consecutive pages', async () => {
    const { tenant, makePet, asStaff, list } = await openTenant();
    const pets = [await makePet(), await makePet(), await makePet()];
    await asStaff('DELETE', `/v1/pets/${pets[1]}`);
    const expectedTypes = ['PetListed', 'PetListed', 'PetListed', 'PetRetired'];
    const events: Event[] = [];
    for (let next: string | null = '', pages = 0; next !== null && pages < 10; pages++) {
      const page: Page<Event> = await list(`limit=2${next === '' ? '' : `&after=${next}`}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      events.push(...page.data);
      next = page.next;
    }
    const ofPets = events.filter(({ stream }) => stream.startsWith('pet-'));
    expect(ofPets.map(({ type }) => type)).toEqual(expectedTypes);
    expect(ofPets.map(({ stream }) => stream)).toEqual([...pets, pets[1]].map((id) => `pet-${id}`));
    expect(new Set(events.map((event) => event.tenant))).toEqual(new Set([tenant]));
    // Each request for a page is itself recorded as an event, so later pages contain such events.
    expect(events.some(({ type }) => type === 'SecurityEventRecorded')).toBe(true);
  });

  it('is filtered by type, actor and time', async () => {
    const { tenant, makePet, asStaff, list } = await openTenant();
    const id = await makePet();
    const olga = await service.token('write:pets', { tenant, subject: 'olga' });
    await service.request('PUT', `/v1/pets/${id}`, { token: olga, body: { ...PRICED_PET, status: 'NOT_AVAILABLE' } });
    await asStaff('DELETE', `/v1/pets/${id}`);
    const [first, , last] = (await list('limit=100')).data.filter(({ type }) => type !== 'NumbersReserved');
    const typesOf = async (query: string) => (await list(query)).data.map(({ type }) => type).filter((type) => type !== 'NumbersReserved');
    expect(await typesOf('type=PetStatusSet')).toEqual(['PetStatusSet']);
    expect(await typesOf('actor=olga')).toEqual(['PetStatusSet']);
    expect(await typesOf('type=PetListed&actor=olga')).toEqual([]);
    expect((await typesOf(`from=${first?.time}&limit=3`)).at(0)).toBe('PetListed');
    expect(await typesOf(`to=${first?.time}`)).toEqual([]);
    const later = new Date(Date.parse(last?.time ?? '') + 1).toISOString();
    expect((await typesOf(`to=${later}&limit=4`)).slice(0, 3)).toEqual(['PetListed', 'PetStatusSet', 'PetRetired']);
    expect(await typesOf(`from=${new Date(Date.now() + 86_400_000).toISOString()}`)).toEqual([]);
  });

  it('shows the events that changed a field, with their changes, and keeps all digits of a bound', async () => {
    const { makePet, asStaff, asAuditor } = await openTenant();
    const [one, other] = [await makePet(), await makePet()];
    const revise = (id: string, body: object) =>
      asStaff('PUT', `/v1/pets/${id}`, { body: { ...PRICED_PET, status: 'AVAILABLE', ...body } });
    await revise(one, { name: 'Nova' });
    await revise(other, { price: '99.00' });
    await revise(one, { price: '88.00' });
    const query = async (text: string) => (await asAuditor<Page<Consequence>>('GET', `/v1/audit/events?${text}`)).json.data;
    const found = await query('type=PetDetailsRevised&changed=price');
    expect(found.map(({ stream }) => stream)).toEqual([`pet-${other}`, `pet-${one}`]);
    expect(found[0]?.changes).toEqual(expect.arrayContaining([expect.objectContaining({ field: expect.stringMatching(/^price/) })]));
    expect((await query('changed=name&type=PetDetailsRevised')).map(({ stream }) => stream)).toEqual([`pet-${one}`, `pet-${one}`]);
    const time = found[0]?.time.replace('Z', '001Z') ?? '';
    const upTo = await query(`changed=price&type=PetDetailsRevised&to=${time}`);
    expect(upTo.map(({ stream }) => stream)).toContain(`pet-${other}`);
    const after = await query(`changed=price&type=PetDetailsRevised&from=${time}`);
    expect(after.map(({ stream }) => stream)).not.toContain(`pet-${other}`);
  });

  it('of all tenants can be read only with the scope ops and a token that is bound to no tenant', async () => {
    const [one, other] = [await openTenant(), await openTenant()];
    const ids = [await one.makePet(), await other.makePet()];
    const path = '/v1/audit/events?tenant=*&type=PetListed&limit=100';
    for (const by of [one.asAuditor, one.asOperator]) expectProblem(await by('GET', path), 403, 'forbidden');
    expectProblem(await service.request('GET', path, { token: await service.token('audit:read') }), 403, 'forbidden');
    const token = await service.token('audit:read ops');
    const streams = new Set<string>();
    for (let next: string | null = '', pages = 0; next !== null && pages < 1_000; pages++) {
      const page: Page<Event> = (await service.request<Page<Event>>('GET', next === '' ? path : `${path}&after=${next}`, { token })).json;
      for (const { stream } of page.data) streams.add(stream);
      next = page.next;
    }
    for (const id of ids) expect(streams.has(`pet-${id}`)).toBe(true);
  });

  it('rejects a cursor of another tenant and an invalid cursor', async () => {
    const [one, other] = [await openTenant(), await openTenant()];
    await one.makePet();
    const { next } = await one.list('limit=1');
    for (const after of [next ?? '', '0', 'x'.repeat(200)])
      expectProblem(await other.asAuditor('GET', `/v1/audit/events?after=${after}`), 400, 'invalid-request', { after: 'INVALID_FORMAT' });
    expect((await one.asAuditor('GET', `/v1/audit/events?after=${next}`)).status).toBe(200);
  });

  it('withholds personal values from callers without the scope ops', async () => {
    const { asStaff, asOperator, list } = await openTenant();
    const { username } = (await asStaff<{ username: string }>('POST', '/v1/users', { body: newUser() })).json;
    const [shown, withheld] = [await list('type=UserRegistered', asOperator), await list('type=UserRegistered')];
    expect([shown.data[0]?.data['username'], withheld.data[0]?.data['username']]).toEqual([username, { withheld: true }]);
  });
});

/** Proves contract 35.14. */
describe('the consequences of a request', () => {
  it('are its events, with their changes, messages and deliveries', async () => {
    const { asStaff, asAuditor } = await openTenant();
    const body = { url: `${receiver.url}/hooks`, events: ['order.statusChanged'] };
    const webhookId = (await asStaff<{ id: string }>('POST', '/v1/webhooks', { body })).json.id;
    const { id } = await MAKERS.order({ request: asStaff, receiver: receiver.url, owner: 'ann' });
    const payment = { body: { amount: '250.00', currency: 'USD', source: card() }, headers: { 'x-request-id': 'Paying/1' } };
    await asStaff('POST', `/v1/orders/${id}/payment`, payment);
    const readConsequences = async () => (await asAuditor<Page<Consequence>>('GET', '/v1/audit/requests/Paying%2F1?limit=100')).json;
    await eventually('the delivery', async () =>
      (await readConsequences()).data.some(({ type, deliveries }) => type === 'OrderApproved' && deliveries[0]?.status === 'delivered'),
    );
    await asStaff('DELETE', `/v1/webhooks/${webhookId}`);
    const { data, next } = await readConsequences();
    expect(next).toBeNull();
    expect(data.map(({ type }) => type).sort()).toEqual(
      ['OrderPaymentStarted', 'PaymentRequested', 'PaymentSucceeded', 'OrderApproved', 'PetAdopted'].sort(),
    );
    for (const { correlationId } of data) expect(correlationId).toBe('Paying/1');
    const approved = data.find(({ type }) => type === 'OrderApproved');
    expect(approved?.changes.map(({ field }) => field)).toEqual(['status', 'paymentStatus', 'updatedAt']);
    expect(approved?.message).toEqual({ topic: 'petstore.orders.v1', key: id, type: 'petstore.order.approved.v1', sequence: '3' });
    expect(approved?.deliveries).toMatchObject([{ eventType: 'order.statusChanged', webhookId, status: 'delivered' }]);
  });

  it('include order callbacks', async () => {
    const { asStaff, asAuditor } = await openTenant();
    const { id } = await MAKERS.order({ request: asStaff, receiver: receiver.url, owner: 'ann' });
    const body = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: `${receiver.url}/called` };
    await asStaff('POST', `/v1/orders/${id}`, { body, headers: { 'x-request-id': 'calling' } });
    await eventually('the callback', async () => {
      const { data } = (await asAuditor<Page<Consequence>>('GET', '/v1/audit/requests/calling')).json;
      const [delivery] = data.find(({ type }) => type === 'OrderCallbackRequested')?.deliveries ?? [];
      return delivery?.eventType === 'order.callback' && delivery.orderId === id;
    });
  });

  it('of another tenant are not shown', async () => {
    const [one, other] = [await openTenant(), await openTenant()];
    await one.asStaff('POST', '/v1/pets', { body: PRICED_PET, headers: { 'x-request-id': 'mine' } });
    const countFor = async (by: SendRequest) => (await by<Page<Event>>('GET', '/v1/audit/requests/mine')).json.data.length;
    expect([await countFor(one.asAuditor), await countFor(other.asOperator)]).toEqual([1, 0]);
  });
});

type Found = {
  readonly kind: string;
  readonly stream?: string;
  readonly by?: string;
  readonly requestId?: string;
  readonly tenant: string;
};

/** Proves contract 35.16. */
describe('a search in the history', () => {
  const findWith =
    (by: SendRequest) =>
    async (text: string): Promise<readonly Found[]> =>
      (await by<{ data: readonly Found[] }>('GET', `/v1/audit/find?text=${encodeURIComponent(text)}`)).json.data;

  it('finds a resource by its id, its stream, its number and the exact name of a pet, in any case', async () => {
    const { tenant, asStaff, asAuditor } = await openTenant();
    const find = findWith(asAuditor);
    const pet = (await asStaff<{ id: string }>('POST', '/v1/pets', { body: { ...PRICED_PET, name: 'Mad <svg onload> Max' } })).json.id;
    const stream = `pet-${pet}`;
    expect(await find(pet.toUpperCase())).toEqual([{ kind: 'stream', stream, by: 'id', tenant }]);
    expect(await find(` ${stream} `)).toEqual([{ kind: 'stream', stream, by: 'stream', tenant }]);
    expect(await find('mad <SVG onload> max')).toEqual([{ kind: 'stream', stream, by: 'name', tenant }]);
    expect(await find('mad')).toEqual([]);
    expect(await find('1')).toEqual([{ kind: 'stream', stream, by: 'number', tenant }]);
  });

  it('finds a request by its id, and the stream of an event and of a delivery by theirs', async () => {
    const { tenant, asStaff, asAuditor, list } = await openTenant();
    const find = findWith(asAuditor);
    const made = await asStaff<{ id: string }>('POST', '/v1/pets', { body: PRICED_PET });
    await asStaff('DELETE', `/v1/pets/${made.json.id}`);
    const stream = `pet-${made.json.id}`;
    const [event] = (await list('type=PetRetired')).data as readonly (Event & { readonly id: string })[];
    expect(await find(event?.id ?? '')).toEqual([{ kind: 'stream', stream, by: 'event', tenant }]);
    const sent = String(made.headers['x-request-id']);
    expect(await find(sent)).toEqual([{ kind: 'request', requestId: sent, tenant }]);
    const { id, deliveryId = '' } = await MAKERS.delivery({ request: asStaff, receiver: receiver.url, owner: '' });
    expect(await find(deliveryId)).toEqual([{ kind: 'stream', stream: `webhook-${id}`, by: 'delivery', tenant }]);
  });

  it('finds an account by its exact username or email for operators, and for nobody else', async () => {
    const { tenant, asStaff, asAuditor, asOperator } = await openTenant();
    const user = newUser();
    const { id } = (await asStaff<{ id: string }>('POST', '/v1/users', { body: user })).json;
    const stream = `user-${id}`;
    expect(await findWith(asOperator)(user.username.toUpperCase())).toEqual([{ kind: 'stream', stream, by: 'username', tenant }]);
    expect(await findWith(asOperator)(user.email)).toEqual([{ kind: 'stream', stream, by: 'email', tenant }]);
    expect(await findWith(asAuditor)(user.username)).toEqual([]);
    await asStaff('DELETE', `/v1/users/${id}`);
    expect(await findWith(asOperator)(user.username)).toEqual([]);
  });

  it('finds nothing of another tenant', async () => {
    const [{ asStaff, makePet }, { asOperator }] = [await openTenant(), await openTenant()];
    const pet = await makePet();
    const user = newUser();
    await asStaff('POST', '/v1/users', { body: user });
    for (const text of [pet, `pet-${pet}`, PRICED_PET.name, user.username, user.email, '1'])
      expect([text, await findWith(asOperator)(text)]).toEqual([text, []]);
  });

  it('finds an id in all tenants for an operator of no tenant, and names in none', async () => {
    const { tenant, makePet, asOperator } = await openTenant();
    const pet = await makePet();
    const token = await service.token('audit:read ops');
    const find = findWith((method, path, options) => service.request(method, `${path}&tenant=*`, { token, ...options }));
    for (const text of [pet, `pet-${pet}`]) expect(await find(text)).toMatchObject([{ stream: `pet-${pet}`, tenant }]);
    expect([await find(PRICED_PET.name), await find('1')]).toEqual([[], []]);
    expectProblem(await asOperator('GET', `/v1/audit/find?text=${pet}&tenant=*`), 403, 'forbidden');
  });

  it('needs a text', async () =>
    expectProblem(await (await openTenant()).asAuditor('GET', '/v1/audit/find'), 422, 'validation-failed', { text: ['required'] }));
});
