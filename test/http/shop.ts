import { randomUUID } from 'node:crypto';
import type { Order } from '../../apps/api/orders/order.dto.js';
import type { Receipt } from '../../apps/api/payments/payment.dto.js';
import type { Pagination } from '../../apps/api/http/collection.dto.js';
import type { Pet } from '../../apps/api/pets/pet.dto.js';
import { eventually } from '../eventually.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import type { TestPetstore } from '../servers/test-petstore.js';

export type { Order, Pet, Receipt };

/** A payment as clients see it. */
export type Payment = {
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
  readonly status: string;
  readonly source: object;
};

/** A page of a collection. */
export type Page<T> = {
  readonly data: readonly T[];
  readonly pagination: Pagination;
  readonly links: Readonly<Record<'self' | 'first' | 'last', string>> & Readonly<Record<'next' | 'prev', string | null>>;
};

/** The card numbers for tests (contract 15.12). */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  processingError: '4000000000000119',
  slow: '4000000000000259',
} as const;

/** A valid card as a payment's source. */
export const card = (number: string = CARDS.good, more: object = {}): object => ({
  object: 'card',
  name: 'Ada Lovelace',
  number,
  cvc: '123',
  expMonth: 12,
  expYear: 2035,
  ...more,
});

/** The scopes of staff. */
export const STAFF = 'write:pets read:pets write:orders write:webhooks';

/** A pet with only its required fields. */
export const PLAIN_PET = { name: 'Biscuit', species: 'DOG', ageMonths: 14 } as const;
export const PRICED_PET = { ...PLAIN_PET, price: '250.00', currency: 'USD' } as const;

/** A person who applies for a pet without an account. */
export const APPLICANT = { name: 'Grace Hopper', email: 'grace@example.com' } as const;

export const PASSWORD = 'correct horse battery';

/** Returns the body of a new account with unique names. */
export const newUser = () => {
  const username = `ann-${randomUUID()}`;
  return { username, email: `${username}@example.com`, password: PASSWORD };
};

/** One tenant of the service, and a token of its staff. A test in this tenant does not affect tests in other tenants. */
export type Shop = {
  readonly tenant: string | undefined;
  readonly staff: string;
  /** Sends a request without a token, in this tenant. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<HttpResponse<T>>;
  /** Sends a request as staff, in this tenant. */
  requestAsStaff<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<HttpResponse<T>>;
  listPet(fields?: object): Promise<Pet>;
  placeOrder(petId: string, fields?: object): Promise<Order>;
  pay(orderId: string, source?: object, amount?: string): Promise<HttpResponse<Payment>>;
  /** Waits until the order has that status. */
  orderBecomes(orderId: string, status: string): Promise<Order>;
  /** Waits until the latest payment of the order has that status. */
  paymentBecomes(orderId: string, status: string): Promise<Payment>;
  /** Waits until the pet has that status. A domain process sets it shortly after the order's event. */
  petBecomes(petId: string, status: string): Promise<Pet>;
  /** Creates and orders a pet, and pays for the order. */
  sell(fields?: object): Promise<{ readonly pet: Pet; readonly order: Order }>;
};

/** Opens a shop in the given tenant, by default in a new one. */
export const openShop = async (service: TestPetstore, tenant: string | undefined = randomUUID()): Promise<Shop> => shopIn(service, tenant);

/** Opens a shop in the shared pool. If other suites use the same service, the pool also contains their pets. */
export const openSharedPool = async (service: TestPetstore): Promise<Shop> => shopIn(service, undefined);

const shopIn = async (service: TestPetstore, tenant: string | undefined): Promise<Shop> => {
  const staff = await service.token(STAFF);
  const request: Shop['request'] = (method, path, options) => service.request(method, path, { tenant, ...options });
  const requestAsStaff: Shop['request'] = (method, path, options) => request(method, path, { token: staff, ...options });
  /** Returns the created resource. Throws if the response has another status than 201. */
  const created = async <T>(response: Promise<HttpResponse<T>>): Promise<T> => {
    const { status, json, text } = await response;
    if (status !== 201) throw new Error(`returned ${status}: ${text}`);
    return json;
  };
  const shop: Shop = {
    tenant,
    staff,
    request,
    requestAsStaff,
    listPet: (fields = {}) => created(requestAsStaff<Pet>('POST', '/v1/pets', { body: { ...PRICED_PET, ...fields } })),
    placeOrder: (petId, fields = {}) => created(request<Order>('POST', '/v1/orders', { body: { petId, ...fields } })),
    pay: (orderId, source = card(), amount = '250.00') =>
      request<Payment>('POST', `/v1/orders/${orderId}/payment`, { body: { amount, currency: 'USD', source } }),
    orderBecomes: (orderId, status) =>
      eventually(`order ${orderId} to be ${status}`, async () => {
        const { json } = await request<Order>('GET', `/v1/orders/${orderId}`);
        return json.status === status ? json : null;
      }),
    paymentBecomes: (orderId, status) =>
      eventually(`the payment of ${orderId} to have ${status}`, async () => {
        const { json } = await request<Payment>('GET', `/v1/orders/${orderId}/payment`);
        return json.status === status ? json : null;
      }),
    petBecomes: (petId, status) =>
      eventually(`pet ${petId} to be ${status}`, async () => {
        const { json } = await request<Pet>('GET', `/v1/pets/${petId}`);
        return json.status === status ? json : null;
      }),
    async sell(fields = {}) {
      const pet = await shop.listPet(fields);
      const { id } = await shop.placeOrder(pet.id);
      const { status, text } = await shop.pay(id, card(), pet.price);
      if (status !== 201) throw new Error(`the payment returned ${status}: ${text}`);
      const order = await shop.orderBecomes(id, 'approved');
      return { pet: await shop.petBecomes(pet.id, 'ADOPTED'), order };
    },
  };
  return shop;
};
