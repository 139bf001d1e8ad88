import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { attack, attacks, type Attack, type Scene } from './owasp-attacks.js';
import { card, newUser, PRICED_PET } from './shop.js';

const PAYMENT = { amount: '250.00', currency: 'USD', source: card() };
const search = (body: object) => ['nobody', 'QUERY', '/v1/pets', { body }] as const;
const newPet = (fields: object) => ['staff', 'POST', '/v1/pets', { body: { ...PRICED_PET, ...fields } }] as const;

/** API4:2023, unrestricted resource consumption: what a request can consume has a limit. */
export const CONSUMPTION: readonly Attack[] = [
  ...attacks(
    {
      'a page of 101 is requested': 'limit=101',
      'a page of a million is requested': 'limit=1000000',
      'a page of no pets is requested': 'limit=0',
      'a page before the first is requested': 'page=-1',
      'a page above the maximum is requested': 'page=2147483648',
    },
    'contract 7.2',
    (query) => ['nobody', 'GET', `/v1/pets?${query}`],
    422,
  ),
  attack(
    'the last possible page is requested',
    'contract 7.3',
    () => ['nobody', 'GET', '/v1/pets?page=2147483647&limit=100'],
    200,
    ({ json }) => expect((json as { data: unknown[] }).data).toEqual([]),
  ),
  attack(
    'a body of more than a mebibyte is sent',
    'contract 26.1',
    () => ['nobody', 'POST', '/v1/users', { raw: `{"x":"${'x'.repeat(1_048_577)}"}` }],
    413,
  ),
  attack(
    'headers of more than 16 KiB are sent',
    'contract 26.1',
    () => ['nobody', 'GET', '/', { headers: { 'x-more': 'x'.repeat(17_000) } }],
    431,
  ),
  attack(
    'a body of 100,000 levels is sent',
    'contract 3.10',
    () => ['nobody', 'POST', '/v1/users', { raw: `{"username":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }],
    422,
  ),
  attack(
    'a body of 50,000 unknown properties is sent',
    'contract 4.5',
    () => ['nobody', 'POST', '/v1/users', { body: Object.fromEntries(Array.from({ length: 50_000 }, (_, nth) => [`p${nth}`, 0])) }],
    422,
    ({ json }) => {
      const { errors, errorsTruncated } = json as { errors: unknown[]; errorsTruncated: boolean };
      expect([errors.length, errorsTruncated]).toEqual([50, true]);
    },
  ),
  attack(
    'a compressed body is sent',
    'contract 2.1',
    () => ['nobody', 'POST', '/v1/users', { raw: new Uint8Array([0x1f, 0x8b, 8, 0]), headers: { 'content-encoding': 'gzip' } }],
    415,
  ),
  attack(
    'a password of a megabyte is hashed',
    'contract 30.1',
    () => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), password: 'x'.repeat(1_000_000) } }],
    422,
  ),
  attack(
    'a username grows when it is normalized',
    'contract 30.1',
    () => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), username: `\ufdfa${randomUUID()}\ufdfa` } }],
    201,
  ),
  attack(
    'a username of 51 characters is registered',
    'contract 30.1',
    () => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), username: 'x'.repeat(51) } }],
    422,
  ),
  attack(
    'an email address makes its pattern backtrack',
    'contract 30.1',
    () => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), email: `a@${'a-'.repeat(120)}!` } }],
    422,
  ),
  attack(
    'a pet has 101 photos',
    'contract 12.1',
    () => newPet({ photos: Array.from({ length: 101 }, (_, nth) => `https://example.com/${nth}`) }),
    422,
  ),
  attack('a pet has a description of 10,001 characters', 'contract 12.1', () => newPet({ description: 'x'.repeat(10_001) }), 422),
  attack(
    'a pet with many long links exceeds the maximum size',
    'contract 12.5',
    () => newPet({ photos: Array.from({ length: 100 }, (_, nth) => `https://example.com/${nth}/${'x'.repeat(900)}`) }),
    422,
  ),
  attack(
    'a search has 21 species',
    'contract 12.11',
    () => search({ criteria: { species: Array.from({ length: 21 }, () => 'DOG') } }),
    400,
  ),
  attack('a search asks for a million pets', 'contract 7.2', () => search({ pagination: { limit: 1_000_000 } }), 400),
  attack(
    'an order takes 101 pets',
    'contract 13.1',
    ({ pet }) => ['ann', 'POST', '/v1/orders', { body: { petId: pet, quantity: 101 } }],
    422,
  ),
  attack(
    'an order has six open callbacks',
    'contract 17.3',
    async ({ make, send }) => {
      const path = `/v1/orders/${await make('order')}`;
      const body = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: 'http://127.0.0.1:1/nobody' };
      for (let nth = 0; nth < 5; nth++) await send('ann', 'POST', path, { body });
      return ['ann', 'POST', path, { body }];
    },
    409,
  ),
  attack(
    'a tenant has 51 endpoints',
    'contract 18.4',
    async ({ send }) => {
      const body = { url: 'https://example.com/hooks', events: ['payment.failed'] };
      await Promise.all(Array.from({ length: 50 }, () => send('eve', 'POST', '/v1/webhooks', { body })));
      return ['eve', 'POST', '/v1/webhooks', { body }];
    },
    409,
  ),
  attack(
    'a range of bytes is requested a thousand times',
    'contract 2.7',
    () => ['nobody', 'GET', '/v1/pets', { headers: { range: `bytes=${Array.from({ length: 1_000 }, () => '0-').join(',')}` } }],
    200,
  ),
];

/** Places an order by Ann for a new pet, which reserves the pet. Returns the ids of the pet and of the order. */
const reserve = async ({ make, send }: Scene, fields: object = {}) => {
  const petId = await make('pet');
  const { id } = (await send<{ id: string }>('ann', 'POST', '/v1/orders', { body: { petId, ...fields } })).json;
  return { petId, id };
};
const pay = (id: string, fields: object = {}) => ['ann', 'POST', `/v1/orders/${id}/payment`, { body: { ...PAYMENT, ...fields } }] as const;

/** API6:2023, unrestricted access to sensitive business flows: each step of a sale happens once, in order. */
export const BUSINESS_FLOWS: readonly Attack[] = [
  attack(
    'a pet is sold twice',
    'contract 13.3',
    async (scene) => ['bob', 'POST', '/v1/orders', { body: { petId: (await reserve(scene)).petId } }],
    409,
  ),
  attack(
    'a pet is sold to the fastest of 20',
    'contract 13.3',
    async ({ make, send }) => {
      const body = { petId: await make('pet') };
      const answers = await Promise.all(Array.from({ length: 20 }, () => send('bob', 'POST', '/v1/orders', { body })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      return ['bob', 'POST', '/v1/orders', { body }];
    },
    409,
  ),
  attack('an order is paid twice', 'contract 15.4', ({ order }) => pay(order), 409),
  attack(
    'a cancelled order is paid',
    'contract 13.10',
    async (scene) => {
      const { id } = await reserve(scene);
      await scene.send('ann', 'DELETE', `/v1/orders/${id}`);
      return pay(id);
    },
    404,
  ),
  attack(
    'an order is shipped before it is paid',
    'contract 13.2',
    async (scene) => ['staff', 'POST', `/v1/orders/${(await reserve(scene)).id}/shipment`],
    409,
  ),
  attack(
    'an order is delivered before it is shipped',
    'contract 13.2',
    ({ order }) => ['staff', 'POST', `/v1/orders/${order}/delivery`],
    409,
  ),
  attack(
    'a reserved pet is removed',
    'contract 12.8',
    async (scene) => ['staff', 'DELETE', `/v1/pets/${(await reserve(scene)).petId}`],
    409,
  ),
  attack(
    'a reserved pet is offered again',
    'contract 12.7',
    async (scene) => ['staff', 'PUT', `/v1/pets/${(await reserve(scene)).petId}`, { body: { ...PRICED_PET, status: 'AVAILABLE' } }],
    409,
  ),
  attack(
    'the price falls after the order',
    'contract 13.5',
    async (scene) => {
      const { petId, id } = await reserve(scene);
      await scene.send('staff', 'PUT', `/v1/pets/${petId}`, { body: { ...PRICED_PET, status: 'PENDING', price: '1.00' } });
      return pay(id, { amount: '1.00' });
    },
    422,
  ),
  attack(
    'an order of two pets is paid at the price of one',
    'contract 15.3',
    async (scene) => pay((await reserve(scene, { quantity: 2 })).id),
    422,
  ),
  attack(
    'an order is paid in another currency',
    'contract 15.3',
    async (scene) => pay((await reserve(scene)).id, { currency: 'JPY' }),
    422,
  ),
  ...attacks(
    { 'minus one pet is ordered': -1, 'no pet is ordered': 0, 'half a pet is ordered': 0.5, '1e308 pets are ordered': 1e308 },
    'contract 13.1',
    (quantity, { pet }) => ['ann', 'POST', '/v1/orders', { body: { petId: pet, quantity } }],
    422,
  ),
  ...attacks(
    {
      'an order is paid with an amount of zero': '0.00',
      'an order is paid with a negative amount': '-250.00',
      'an order is paid with a number': 250,
      'an order is paid in another form': '2.5e2',
    },
    'contract 15.3',
    async (amount, scene) => pay((await reserve(scene)).id, { amount }),
    422,
  ),
  attack(
    'an order is paid with an expired card',
    'contract 15.5',
    async (scene) => pay((await reserve(scene)).id, { source: card(undefined, { expMonth: 1, expYear: 2020 }) }),
    422,
  ),
  attack(
    'the Idempotency-Key of an order is used for another order',
    'contract 9.3',
    async ({ make, send }) => {
      const idempotencyKey = randomUUID();
      await send('bob', 'POST', '/v1/orders', { idempotencyKey, body: { petId: await make('pet') } });
      return ['bob', 'POST', '/v1/orders', { idempotencyKey, body: { petId: await make('pet') } }];
    },
    422,
  ),
  attack(
    'a pet that staff do not offer is ordered',
    'contract 13.3',
    async ({ send }) => {
      const { id } = (await send<{ id: string }>('staff', 'POST', '/v1/pets', { body: { ...PRICED_PET, status: 'NOT_AVAILABLE' } })).json;
      return ['bob', 'POST', '/v1/orders', { body: { petId: id } }];
    },
    409,
  ),
];
