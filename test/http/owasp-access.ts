import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { attack, attacks, type Attack } from './owasp-attacks.js';
import { card, newUser, PASSWORD, PRICED_PET, type Page } from './shop.js';

type Listed = { readonly id: string; readonly status?: string; readonly tenantId?: string };

const PAYMENT = { amount: '250.00', currency: 'USD', source: card() };
const CALLBACK = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: 'http://127.0.0.1:1/nobody' };
const ids = (response: { readonly json: unknown }) => (response.json as Page<Listed>).data.map(({ id }) => id);

/** API1:2023, broken object level authorization: the id of an object gives no access to it. */
export const OBJECT_LEVEL: readonly Attack[] = [
  attack('an order is read without a token', 'contract 5.7', ({ order }) => ['nobody', 'GET', `/v1/orders/${order}`], [200, 401]),
  attack('another’s order is read', 'contract 5.8', ({ order }) => ['bob', 'GET', `/v1/orders/${order}`], [200, 404]),
  attack('another’s payment is read', 'contract 5.8', ({ order }) => ['bob', 'GET', `/v1/orders/${order}/payment`], [200, 404]),
  attack('another’s receipt is read', 'contract 5.8', ({ order }) => ['bob', 'GET', `/v1/orders/${order}/receipt`], [200, 404]),
  attack(
    'another’s order is cancelled',
    'contract 5.8',
    async ({ make }) => ['bob', 'DELETE', `/v1/orders/${await make('order')}`],
    [204, 404],
  ),
  attack(
    'another’s order is paid',
    'contract 5.8',
    async ({ make }) => ['bob', 'POST', `/v1/orders/${await make('order')}/payment`, { body: PAYMENT }],
    [201, 404],
  ),
  attack(
    'a callback of another’s order is requested',
    'contract 5.8',
    async ({ make }) => ['bob', 'POST', `/v1/orders/${await make('order')}`, { body: CALLBACK }],
    [201, 404],
  ),
  attack('the orders of another are listed', 'contract 5.8', ({ ann }) => ['bob', 'GET', `/v1/orders?userId=${ann.id}`], 403),
  attack(
    'all orders are listed',
    'contract 5.8',
    () => ['bob', 'GET', '/v1/orders?limit=100'],
    200,
    (response, { order }) => expect(ids(response)).not.toContain(order),
  ),
  attack(
    'a pet is ordered for another',
    'contract 13.4',
    async ({ make, ann }) => ['bob', 'POST', '/v1/orders', { body: { petId: await make('pet'), userId: ann.id } }],
    [201, 403],
  ),
  attack('another’s account is read', 'contract 5.8', ({ ann }) => ['bob', 'GET', `/v1/users/${ann.id}`], [200, 404]),
  attack(
    'another’s account is changed',
    'contract 5.8',
    ({ ann }) => ['bob', 'PUT', `/v1/users/${ann.id}`, { body: { firstName: 'Eve' } }],
    404,
  ),
  attack(
    'another’s password is changed',
    'contract 5.8',
    ({ ann }) => ['bob', 'PUT', `/v1/users/${ann.id}`, { body: { password: 'eve’s own password' } }],
    404,
  ),
  attack('another’s account is deleted', 'contract 5.8', ({ ann }) => ['bob', 'DELETE', `/v1/users/${ann.id}`], 404),
  attack(
    'staff without the scope ops change an account',
    'contract 5.8',
    ({ ann }) => ['staff', 'PUT', `/v1/users/${ann.id}`, { body: { firstName: 'Eve' } }],
    404,
  ),
  attack(
    'the id in the body is another’s',
    'contract 3.9',
    ({ ann, bob }) => ['bob', 'PUT', `/v1/users/${bob.id}`, { body: { id: ann.id } }],
    422,
  ),
  attack(
    'a pet of another tenant is changed',
    'contract 6.2',
    ({ pet }) => ['eve', 'PUT', `/v1/pets/${pet}`, { body: { ...PRICED_PET, status: 'ADOPTED' } }],
    404,
  ),
  attack('an order of another tenant is read', 'contract 6.2', ({ order }) => ['eve', 'GET', `/v1/orders/${order}`], 404),
  attack('an endpoint of another tenant is removed', 'contract 6.2', ({ webhook }) => ['eve', 'DELETE', `/v1/webhooks/${webhook}`], 404),
  attack('an account of another tenant is read', 'contract 6.2', ({ ann }) => ['eve', 'GET', `/v1/users/${ann.id}`], 404),
  attack(
    'the header and the token name different tenants',
    'contract 6.3',
    ({ order, tenant }) => ['eve', 'GET', `/v1/orders/${order}`, { tenant }],
    403,
  ),
  attack(
    'a delivery is read through another endpoint',
    'contract 6.2',
    async ({ delivery, make }) => ['staff', 'GET', `/v1/webhooks/${await make('webhook')}/deliveries/${delivery}`],
    404,
  ),
  attack('two ids are sent as one', 'contract 3.1', ({ order }) => ['bob', 'GET', `/v1/orders/${order},${randomUUID()}`], 400),
  attack(
    'a filter is sent twice: with the own id and with that of another',
    'contract 2.4',
    ({ ann, bob }) => ['bob', 'GET', `/v1/orders?userId=${bob.id}&userId=${ann.id}`],
    400,
  ),
];

const FORBIDDEN_FIELDS = {
  'an account gets the scopes of staff': { scopes: ['ops'] },
  'an account gets a role': { role: 'admin' },
  'an account becomes staff': { isStaff: true },
  'an account names its tenant': { tenantId: randomUUID() },
  'an account is created with a password hash': { passwordHash: '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAA' },
  'an account is confirmed': { emailVerified: true },
};

/** API3:2023, broken object property level authorization: callers neither set nor see a property without permission. */
export const PROPERTY_LEVEL: readonly Attack[] = [
  ...attacks(FORBIDDEN_FIELDS, 'contract 3.10', (fields) => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), ...fields } }], 422),
  ...attacks(
    Object.fromEntries(Object.entries(FORBIDDEN_FIELDS).map(([name, fields]) => [`in a change, ${name}`, fields])),
    'contract 3.10',
    (fields, { bob }) => ['bob', 'PUT', `/v1/users/${bob.id}`, { body: fields }],
    422,
  ),
  attack(
    'an account chooses its id',
    'contract 30.1',
    ({ ann }) => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), id: ann.id } }],
    201,
    (response, { ann }) => expect((response.json as Listed).id).not.toBe(ann.id),
  ),
  attack(
    'an order is created with the status delivered',
    'contract 13.1',
    async ({ make }) => ['bob', 'POST', '/v1/orders', { body: { petId: await make('pet'), status: 'delivered', complete: true } }],
    201,
    ({ json }) => expect(json).toMatchObject({ status: 'placed', complete: false }),
  ),
  attack(
    'an order is created with a price of its own',
    'contract 3.10',
    ({ pet }) => ['bob', 'POST', '/v1/orders', { body: { petId: pet, unitPrice: '0.01' } }],
    422,
  ),
  attack(
    'a payment is created with the status succeeded',
    'contract 15.1',
    async ({ make }) => [
      'ann',
      'POST',
      `/v1/orders/${await make('order')}/payment`,
      { body: { ...PAYMENT, status: 'succeeded', id: randomUUID() } },
    ],
    201,
    ({ json }) => expect((json as Listed).status).toBe('processing'),
  ),
  attack(
    'an order is paid with one cent',
    'contract 15.3',
    async ({ make }) => ['ann', 'POST', `/v1/orders/${await make('order')}/payment`, { body: { ...PAYMENT, amount: '0.01' } }],
    422,
  ),
  attack(
    'a pet moves to another tenant',
    'contract 12.1',
    async ({ make, eveTenant }) => [
      'staff',
      'PUT',
      `/v1/pets/${await make('pet')}`,
      { body: { ...PRICED_PET, status: 'AVAILABLE', tenantId: eveTenant } },
    ],
    200,
    ({ json }, { tenant }) => expect((json as Listed).tenantId).toBe(tenant),
  ),
  attack(
    'a nested object has an unknown property',
    'contract 3.10',
    () => ['staff', 'POST', '/v1/pets', { body: { ...PRICED_PET, medicalInfo: { vaccinated: true, isAdmin: true } } }],
    422,
  ),
  attack(
    'the prototype of all objects is changed',
    'contract 2.2',
    () => ['nobody', 'POST', '/v1/users', { raw: '{"__proto__":{"scopes":["ops"]}}' }],
    400,
  ),
  attack(
    'the constructor of all objects is changed',
    'contract 2.2',
    () => ['nobody', 'POST', '/v1/users', { raw: '{"constructor":{"prototype":{"scopes":["ops"]}}}' }],
    400,
  ),
  attack(
    'an account shows its password',
    'contract 30.1',
    () => ['nobody', 'POST', '/v1/users', { body: newUser() }],
    201,
    ({ text }) => expect([text.includes(PASSWORD), /argon|hash|password/i.test(text)]).toEqual([false, false]),
  ),
  attack(
    'the list of accounts shows hashes or digests',
    'contract 30.3',
    () => ['operator', 'GET', '/v1/users'],
    200,
    ({ text }) => expect(text).not.toMatch(/argon|hash|digest|password|sealed/i),
  ),
  attack(
    'a payment shows the number of the card',
    'contract 15.8',
    ({ order }) => ['ann', 'GET', `/v1/orders/${order}/payment`],
    200,
    ({ text }) => expect(text).not.toMatch(/4242424242424242|cvc|"123"/),
  ),
  attack(
    'an endpoint shows its secret',
    'contract 18.3',
    ({ webhook }) => ['staff', 'GET', `/v1/webhooks/${webhook}`],
    200,
    ({ text }) => expect(text).not.toContain('whsec_'),
  ),
  attack(
    'a delivery shows the secret that signed it',
    'contract 20.13',
    ({ webhook, delivery }) => ['staff', 'GET', `/v1/webhooks/${webhook}/deliveries/${delivery}`],
    200,
    ({ text }) => expect(text).not.toMatch(/whsec_|v1,/),
  ),
];

/**
 * API5:2023, broken function level authorization: nobody can use an operation without permission for it, by any header,
 * method or path.
 */
export const FUNCTION_LEVEL: readonly Attack[] = [
  attack('a customer creates a pet', 'contract 5.6', () => ['bob', 'POST', '/v1/pets', { body: PRICED_PET }], 403),
  attack(
    'a customer changes a pet',
    'contract 5.6',
    ({ pet }) => ['bob', 'PUT', `/v1/pets/${pet}`, { body: { ...PRICED_PET, price: '0.01', status: 'AVAILABLE' } }],
    403,
  ),
  attack('a customer removes a pet', 'contract 5.6', ({ pet }) => ['bob', 'DELETE', `/v1/pets/${pet}`], 403),
  attack('a customer ships an order', 'contract 5.6', ({ order }) => ['ann', 'POST', `/v1/orders/${order}/shipment`], 403),
  attack('a customer delivers an order', 'contract 5.6', ({ order }) => ['ann', 'POST', `/v1/orders/${order}/delivery`], 403),
  attack('a customer lists accounts', 'contract 5.6', () => ['bob', 'GET', '/v1/users'], 403),
  attack('staff without the scope ops list accounts', 'contract 5.6', () => ['staff', 'GET', '/v1/users'], 403),
  attack('a customer lists endpoints', 'contract 5.6', () => ['bob', 'GET', '/v1/webhooks'], 403),
  attack(
    'a customer registers an endpoint',
    'contract 5.6',
    () => ['bob', 'POST', '/v1/webhooks', { body: { url: 'https://example.com', events: ['pet.adopted'] } }],
    403,
  ),
  attack('a customer rotates a secret', 'contract 5.6', ({ webhook }) => ['bob', 'POST', `/v1/webhooks/${webhook}/secret`], 403),
  attack('somebody without a token reads the inventory', 'contract 14.1', () => ['nobody', 'GET', '/v1/inventories'], 401),
  attack('a customer lists pets that are not offered', 'contract 12.9', () => ['bob', 'GET', '/v1/pets?status=ALL'], 422),
  attack(
    'a header names another method',
    'contract 2.3',
    ({ pet }) => [
      'staff',
      'GET',
      `/v1/pets/${pet}`,
      { headers: { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' } },
    ],
    200,
  ),
  attack(
    'a header names another path',
    'contract 5.6',
    () => ['bob', 'GET', '/v1/pets', { headers: { 'x-original-url': '/v1/users', 'x-rewrite-url': '/v1/users' } }],
    200,
    ({ text }, { ann }) => expect(text).not.toContain(ann.username),
  ),
  attack(
    'headers name roles',
    'contract 5.1',
    () => ['bob', 'GET', '/v1/users', { headers: { 'x-roles': 'ops', 'x-scope': 'ops', 'x-user': 'admin', 'x-forwarded-user': 'admin' } }],
    403,
  ),
  attack(
    'another method is tried',
    'contract 2.3',
    ({ ann }) => ['bob', 'PATCH', `/v1/users/${ann.id}`, { body: { firstName: 'Eve' } }],
    405,
  ),
  attack("the caller's own account is deleted as /users/me", 'contract 2.3', () => ['bob', 'DELETE', '/v1/users/me'], 405),
  ...attacks(
    {
      'a path of administrators is tried': '/v1/admin/users',
      'a path with an action is tried': '/v1/users/me/promote',
      'a path in upper case is tried': '/v1/USERS',
      'a path with two slashes is tried': '/v1//users',
      'a path with a slash at its end is tried': '/v1/users/me/',
      'a path with a parameter is tried': '/v1/users;role=admin',
      'a path with two dots is tried': '/v1/pets/../users',
      'a path with an encoded slash is tried': '/v1%2Fusers',
      'a path with a zero byte is tried': '/v1/users%00',
    },
    'contract 2.3',
    (path) => ['bob', 'GET', path],
    404,
  ),
];
