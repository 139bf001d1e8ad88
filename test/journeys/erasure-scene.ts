import { expect } from '@jest/globals';
import type { ProjectionState } from '../../apps/api/ops/projections/projection.dto.js';
import { eventually } from '../eventually.js';
import { fileUpload, PIXEL } from '../http/image-files.js';
import { caller, type Call } from '../servers/calling.js';
import { canariesIn, type Canary } from '../servers/canaries.js';
import type { Receiver } from '../servers/receiver.js';

const PROFILE = {
  username: 'perpetua.wimbleton',
  email: 'perpetua@quillhaven.example',
  firstName: 'Perpetua',
  lastName: 'Wimbleton-Smythe',
  phone: '+3299840217365',
};
const PASSWORD = 'correct horse battery';
const HOLDER = {
  name: 'Perpetua Wimbleton-Smythe',
  addressLine1: '12 Larkspur Crescent',
  addressLine2: 'Garret Zephyr',
  addressCity: 'Quillhaven',
  addressCountry: 'gb',
  addressPostCode: 'QH7 3XX',
};
const SOURCE = { object: 'card', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2090, ...HOLDER };
const PAYMENT = { amount: '12.00', currency: 'EUR', source: SOURCE };

const APPLICANT = { name: 'Perpetua W. Applicant', email: 'apply@quillhaven.example', phone: '+3299840217366' };
const MESSAGE = 'We have a garden behind Larkspur Crescent.';
const CAPTION = 'Perpetua with Rex at the fair';

/** The caller's address in X-Forwarded-For of the person's sign-in. No request really comes from this address. */
const ADDRESS = '198.51.100.77';

/** Every personal value of the scene. Country codes are too short to be searched for. */
const PERSONAL: readonly Canary[] = [
  ...Object.entries(PROFILE),
  ...Object.entries(HOLDER).filter(([field]) => field !== 'addressCountry'),
  ...Object.entries(APPLICANT).map(([field, text]) => [`${field} of the applicant`, text]),
  ...Object.entries({ message: MESSAGE, caption: CAPTION, address: ADDRESS }),
].map(([what = '', text = '']) => ({ what, text }));

/**
 * A person who has a staff account, placed an order and paid for it, applied for a pet and uploaded an image. Deliveries
 * contain personal values, too: the receiver returned the body of each webhook, and a delivery contains the response.
 */
type Person = {
  readonly userId: string;
  readonly orderId: string;
  readonly petId: string;
  readonly adoptionId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly token: string;
};

const idOf = async (response: ReturnType<Call>): Promise<string> => {
  const { status, json } = await response;
  expect(status).toBe(201);
  return String(json['id']);
};

/** Pays for the order without a token. A second call gets the replayed response. */
export const pay = (url: string, orderId: string): ReturnType<Call> =>
  caller(url)('POST', `/v1/orders/${orderId}/payment`, { body: PAYMENT, idempotencyKey: 'payment' });

/** Creates the person through the interface. `call` has the scopes of staff. */
export const addPerson = async (url: string, call: Call, receiver: Receiver): Promise<Person> => {
  receiver.respondWith(({ body }) => ({ status: 200, body }));
  const webhook = { url: `${receiver.url}/hook`, events: ['payment.succeeded'] };
  const webhookId = await idOf(call('POST', '/v1/webhooks', { body: webhook }));
  const userId = await idOf(call('POST', '/v1/users', { body: { ...PROFILE, password: PASSWORD }, idempotencyKey: 'registration' }));
  // Only with a second staff account can the person be erased (contract 30.8).
  const colleague = { username: 'colleague', email: 'colleague@quillhaven.example', password: PASSWORD };
  const colleagueId = await idOf(call('POST', '/v1/users', { body: colleague }));
  for (const id of [userId, colleagueId]) expect((await call('PUT', `/v1/ops/users/${id}/staff`)).status).toBe(204);
  const from = { headers: { 'x-forwarded-for': ADDRESS } };
  const signedIn = await caller(url)('POST', '/v1/auth/tokens', { body: { username: PROFILE.username, password: PASSWORD }, ...from });
  const token = String(signedIn.json['token']);
  const asPerson = caller(url, token);
  const newPet = (name: string): Promise<string> => idOf(call('POST', '/v1/pets', { body: { name, species: 'DOG', ageMonths: 1 } }));
  const petId = await newPet('Rex');
  expect((await asPerson('POST', `/v1/pets/${petId}/images`, fileUpload(PIXEL, CAPTION))).status).toBe(201);
  const application = { petId: await newPet('Tilly'), applicant: APPLICANT, message: MESSAGE };
  const adoptionId = await idOf(asPerson('POST', '/v1/adoptions', { body: application }));
  const orderId = await idOf(asPerson('POST', '/v1/orders', { body: { petId }, idempotencyKey: 'order' }));
  await idOf(pay(url, orderId));
  const deliveryId = await eventually('the delivery of the payment', async () => {
    const { json } = await call('GET', `/v1/webhooks/${webhookId}/deliveries`);
    const [first] = json['data'] as readonly { readonly id: string; readonly status: string }[];
    return first?.status === 'delivered' ? first.id : null;
  });
  return { userId, orderId, petId, adoptionId, webhookId, deliveryId, token };
};

/** Returns the text of all responses that could contain personal values. `call` has the scopes of staff, and `audit:read`. */
const readPerson = async (call: Call, { userId, orderId, petId, adoptionId, webhookId, deliveryId }: Person): Promise<string> => {
  const [order, user] = [`order-${orderId}`, `user-${userId}`];
  const paths = [
    `/v1/users/${userId}`,
    '/v1/users',
    `/v1/ops/users/${userId}`,
    `/v1/orders/${orderId}`,
    `/v1/orders/${orderId}/payment`,
    `/v1/orders/${orderId}/receipt`,
    `/v1/adoptions/${adoptionId}`,
    '/v1/adoptions',
    `/v1/audit/streams/adoption-${adoptionId}`,
    `/v1/audit/adoptions/${adoptionId}?revision=0`,
    `/v1/audit/streams/pet-${petId}`,
    `/v1/webhooks/${webhookId}/deliveries`,
    `/v1/webhooks/${webhookId}/deliveries/${deliveryId}`,
    `/v1/audit/streams/${order}`,
    `/v1/audit/streams/${user}`,
    `/v1/audit/users/${userId}?revision=0`,
    '/v1/audit/events?type=SecurityEventRecorded',
    '/v1/audit/events',
  ];
  const texts: string[] = [];
  for (const path of paths) texts.push((await call('GET', path)).text);
  return texts.join('\n');
};

/** Returns the paths of resources with personal values whose revision does not change when the person is erased. */
export const cacheablePaths = ({ orderId, adoptionId }: Person): readonly string[] => [
  `/v1/orders/${orderId}/payment`,
  `/v1/orders/${orderId}/receipt`,
  `/v1/adoptions/${adoptionId}`,
];

/** Reads each path with If-None-Match, whose value is the path's entity tag in `cached`. Returns statuses and entity tags. */
export const revalidate = async (call: Call, paths: readonly string[], cached: readonly string[]) =>
  Promise.all(
    paths.map(async (path, at) => {
      const { status, headers } = await call('GET', path, { headers: { 'if-none-match': cached[at] ?? '""' } });
      return { path, status, etag: headers['etag'] ?? '' };
    }),
  );

/** Returns the names of the personal values that the service shows. `call` has the scopes of staff, and `audit:read`. */
export const shownOf = async (call: Call, person: Person): Promise<readonly string[]> => {
  const text = Buffer.from(await readPerson(call, person));
  return PERSONAL.filter((canary) => canariesIn('', text, [canary]).length > 0).map(({ what }) => what);
};

/** The names of all personal values. */
export const ALL_PERSONAL = PERSONAL.map(({ what }) => what);

/** Returns where a file contains a personal value of the scene. */
export const personalIn = (path: string, bytes: Buffer): readonly string[] => canariesIn(path, bytes, PERSONAL);

/**
 * Leaves each kind of second fill beside a read model with personal values: one that is held, one that a fill has replaced, and
 * pauses another read model. `call` has the scopes of staff.
 */
export const leaveFills = async (call: Call): Promise<void> => {
  const act = async (name: string, action: string, body: object = {}): Promise<void> =>
    expect([name, action, (await call('POST', `/v1/ops/projections/${name}/${action}`, { body })).status]).toEqual([name, action, 204]);
  await act('users', 'rebuild', { hold: true });
  await act('payments', 'rebuild');
  await act('adoptions', 'pause');
  await eventually('the fills to be complete', async () => {
    const states = (await call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[];
    const [users, payments] = ['users', 'payments'].map((name) => states.find((one) => one.name === name));
    return users?.fill?.state === 'held' && payments?.keptUntil !== undefined;
  });
};

/** Lets queries read the fills that `leaveFills` has left, and resumes what it has paused. */
export const readFills = async (call: Call): Promise<void> => {
  const act = (name: string, action: string, body: object = {}) => call('POST', `/v1/ops/projections/${name}/${action}`, { body });
  await eventually('the held fill to be read', async () => (await act('users', 'switch')).status === 204);
  await eventually('the kept one to be read', async () => (await act('payments', 'switch', { back: true })).status === 204);
  expect((await act('adoptions', 'resume')).status).toBe(204);
};
