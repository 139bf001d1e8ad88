import { eventually } from '../eventually.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import { fileUpload, PIXEL } from './image-files.js';
import { APPLICANT, card, newUser, PASSWORD, PRICED_PET, type Order, type Pet } from './shop.js';

/** Sends a request as staff of one tenant. */
export type SendRequest = <T = unknown>(method: string, path: string, options?: RequestOptions) => Promise<HttpResponse<T>>;

/** The ids in the address of a resource. */
export type Resource = {
  readonly id: string;
  /** The name of a pet's stream. */
  readonly stream?: string;
  readonly deliveryId?: string;
  readonly imageId?: string;
  readonly redeliveryId?: string;
  /** The id of the pet that an order or an application is for. */
  readonly petId?: string;
  /** The username of an account. */
  readonly username?: string;
  /** The id of the account to which a session or an application belongs. */
  readonly userId?: string;
  /** The integer id of a pet or an order in the classic variant. */
  readonly number?: string;
};

/** What the functions in MAKERS need to create resources. */
export type MakerContext = {
  readonly request: SendRequest;
  /** The URL of a receiver of webhooks. */
  readonly receiver: string;
  /** The user to whom the created orders belong. */
  readonly owner: string;
};

/** A time before the clock of every service in the tests, including manual clocks. */
export const PAST = '2026-01-02T03:04:05Z';

type Make = (context: MakerContext) => Promise<Resource>;

/** Returns the id in a response. Throws if the response has another status. */
const expectId = (status: number, { status: actual, json, text }: HttpResponse<Resource>): Resource => {
  if (actual !== status) throw new Error(`the response is ${actual}, expected ${status}: ${text}`);
  return { id: json.id };
};

const makePet: Make = async ({ request }) => {
  const { id } = expectId(201, await request('POST', '/v1/pets', { body: PRICED_PET }));
  return { id, stream: `pet-${id}` };
};

const makeImage: Make = async (context) => {
  const { id } = await makePet(context);
  const { status, headers, text } = await context.request('POST', `/v1/pets/${id}/images`, fileUpload(PIXEL));
  if (status !== 201) throw new Error(`the upload returned ${status}: ${text}`);
  return { id, imageId: headers.location?.split('/').at(-1) ?? '' };
};

const makeOrder: Make = async (context) => {
  const { id: petId } = await makePet(context);
  return { ...expectId(201, await context.request('POST', '/v1/orders', { body: { petId, userId: context.owner } })), petId };
};

/** Returns the integer id of a pet or an order, which the classic variant uses. Reads it from the first event of the stream. */
const numberIn = async ({ request }: MakerContext, stream: string): Promise<string> => {
  const { json, text } = await request<{ readonly data: readonly { readonly data: { readonly number?: number } }[] }>(
    'GET',
    `/v1/audit/streams/${stream}`,
  );
  const number = json.data[0]?.data.number;
  if (number === undefined) throw new Error(`${stream} has no number: ${text}`);
  return String(number);
};

const makeNumberedPet: Make = async (context) => {
  const pet = await makePet(context);
  return { ...pet, number: await numberIn(context, `pet-${pet.id}`) };
};

const makeNumberedOrder: Make = async (context) => {
  const order = await makeOrder(context);
  return { ...order, number: await numberIn(context, `order-${order.id}`) };
};

/** Waits until a paid order is approved, its pet is adopted, and its receipt exists. */
export const waitForPayment = async ({ request }: Pick<MakerContext, 'request'>, { id, petId }: Resource): Promise<void> => {
  await eventually('the order to be approved', async () => (await request<Order>('GET', `/v1/orders/${id}`)).json.status === 'approved');
  await eventually('the pet to be adopted', async () => (await request<Pet>('GET', `/v1/pets/${petId}`)).json.status === 'ADOPTED');
  await eventually('the receipt', async () => (await request('GET', `/v1/orders/${id}/receipt`)).status === 200);
};

const makePaidOrder: Make = async (context) => {
  const order = await makeOrder(context);
  const body = { amount: '250.00', currency: 'USD', source: card() };
  expectId(201, await context.request('POST', `/v1/orders/${order.id}/payment`, { body }));
  await waitForPayment(context, order);
  return order;
};

const makePayment: Make = async (context) => {
  const { id } = await makePaidOrder(context);
  return expectId(200, await context.request('GET', `/v1/orders/${id}/payment`));
};

const makeShippedOrder: Make = async (context) => {
  const order = await makePaidOrder(context);
  expectId(200, await context.request('POST', `/v1/orders/${order.id}/shipment`));
  return order;
};

const makeWebhook: Make = async ({ request, receiver }) => {
  const body = { url: `${receiver}/hooks`, events: ['payment.failed'] };
  return expectId(201, await request('POST', '/v1/webhooks', { body }));
};

const makeDelivery: Make = async (context) => {
  const { id } = await makeWebhook(context);
  const { request } = context;
  const { id: deliveryId } = expectId(202, await request('POST', `/v1/webhooks/${id}/test`));
  const path = `/v1/webhooks/${id}/deliveries/${deliveryId}`;
  await eventually('the delivery', async () => (await request<{ status: string }>('GET', path)).json.status === 'delivered');
  return { id, deliveryId };
};

const makeRedelivery: Make = async (context) => {
  const { id } = await makeWebhook(context);
  const { request } = context;
  const body = { since: PAST };
  const { id: redeliveryId } = expectId(202, await request('POST', `/v1/webhooks/${id}/redelivery`, { body }));
  const path = `/v1/webhooks/${id}/redelivery/${redeliveryId}`;
  await eventually('the redelivery', async () => (await request<{ status: string }>('GET', path)).json.status === 'done');
  return { id, redeliveryId };
};

const makeUser: Make = async ({ request }) => {
  const body = newUser();
  return { ...expectId(201, await request('POST', '/v1/users', { body })), username: body.username };
};

const makeSession: Make = async (context) => {
  const { id: userId, username } = await makeUser(context);
  const { request } = context;
  const signedIn = await request('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } });
  if (signedIn.status !== 201) throw new Error(`the sign-in returned ${signedIn.status}: ${signedIn.text}`);
  const { data } = (await request<{ data: readonly Resource[] }>('GET', `/v1/ops/users/${userId}/sessions`)).json;
  return { id: data[0]?.id ?? '', userId };
};

/** Creates a pet, and an account that applies for it. */
const makeAdoption: Make = async (context) => {
  const { id: petId } = await makePet(context);
  const { id: userId, username } = await makeUser(context);
  const { request } = context;
  const { json } = await request<{ token: string }>('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } });
  const applied = await request<Resource>('POST', '/v1/adoptions', { token: json.token, body: { petId, applicant: APPLICANT } });
  return { ...expectId(201, applied), petId, ...(userId && { userId }) };
};

const makeClient: Make = async ({ request }) => {
  const body = { name: 'Pet Finder', redirectUris: ['https://finder.example.com/signed-in'] };
  return expectId(201, await request('POST', '/v1/ops/clients', { body }));
};

/** For each kind of resource, the function that creates one. */
export const MAKERS = {
  pet: makePet,
  'numbered pet': makeNumberedPet,
  'pet image': makeImage,
  'numbered order': makeNumberedOrder,
  order: makeOrder,
  'paid order': makePaidOrder,
  'shipped order': makeShippedOrder,
  payment: makePayment,
  webhook: makeWebhook,
  delivery: makeDelivery,
  redelivery: makeRedelivery,
  user: makeUser,
  session: makeSession,
  client: makeClient,
  adoption: makeAdoption,
} satisfies Readonly<Record<string, Make>>;

/** A kind of resource whose id can be in the path of a request. */
export type ResourceKind = keyof typeof MAKERS;

/** Returns the address at which staff read a resource, or the pet, webhook or list to which it belongs. */
export const addressOfKind = (kind: ResourceKind, { id, userId }: Resource): string => {
  if (kind === 'session') return `/v1/ops/users/${userId}/sessions`;
  if (kind.endsWith('pet') || kind === 'pet image') return `/v1/pets/${id}`;
  if (kind === 'client') return `/v1/ops/clients/${id}`;
  if (kind === 'payment') return `/v1/audit/payments/${id}`;
  if (kind === 'adoption') return `/v1/adoptions/${id}`;
  if (kind === 'user') return `/v1/users/${id}`;
  return kind.endsWith('order') ? `/v1/orders/${id}` : `/v1/webhooks/${id}`;
};
