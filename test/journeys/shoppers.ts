import { caller, type JsonResponse, type Call } from '../servers/calling.js';
import { startClients, type Load, type NextRequest } from './clients-load.js';
import type { ChangeRequest, RequestRecorder } from './request-recorder.js';

export type Random = () => number;

/** The ids of the resources that one shopper has created. */
type ShopperState = {
  readonly pets: string[];
  readonly unpaid: string[];
  readonly paid: string[];
};

/** The state of a new shopper. */
export const emptyShopperState = (): ShopperState => ({ pets: [], unpaid: [], paid: [] });

/** The state that all shoppers of a service share, also across restarts of the service. */
export type SharedState = {
  /** Pets that every shopper may order. */
  readonly pets: string[];
  /** Returns a new number for unique names, amounts and keys. */
  next(): number;
  /** Whether some payments use the test card whose charge takes 3 s. */
  readonly slowCards: boolean;
};

export const createSharedState = (slowCards = false): SharedState => {
  let count = 0;
  return { pets: [], slowCards, next: () => ++count };
};

type LoadOptions = {
  readonly url: string;
  readonly token: string;
  readonly shoppers: number;
  /** Returns the random number generator for the shopper with this index. It makes all choices of that shopper. */
  readonly randomOf: (shopper: number) => Random;
  readonly recorder: RequestRecorder;
  readonly shared: SharedState;
};

const CARDS = ['4242424242424242', '4242424242424242', '5555555555554444', '4000000000000002', '4000000000009995', '4000000000000119'];
const SLOW_CARD = '4000000000000259';

const pick = <T>(from: readonly T[], random: Random): T | undefined => from[Math.floor(random() * from.length)];

const take = (from: string[], random: Random): string | undefined => from.splice(Math.floor(random() * from.length), 1)[0];

const sourceOf = (random: Random, slowCards: boolean): object => {
  if (slowCards && random() < 0.1)
    return { object: 'card', number: SLOW_CARD, expMonth: 12, expYear: 2090, cvc: '123', name: 'Slow Payer' };
  if (random() < 0.2) return { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
  return { object: 'card', number: pick(CARDS, random), expMonth: 12, expYear: 2090, cvc: '123', name: 'Carded Payer' };
};

/** The next request, and a function that updates the state if the request succeeds. */
type Plan = { readonly request: ChangeRequest; readonly onSuccess: (response: JsonResponse) => void };

const idOf = ({ json }: JsonResponse): string => String(json['id']);

const maybeKey = (shared: SharedState, random: Random): { idempotencyKey?: string } =>
  random() < 0.6 ? { idempotencyKey: `key-${shared.next()}` } : {};

const listPet = (shared: SharedState, state: ShopperState, random: Random): Plan => {
  const name = `Pet ${shared.next()}`;
  const body = { name, species: pick(['DOG', 'CAT', 'BIRD'], random), ageMonths: Math.floor(random() * 60), status: 'AVAILABLE' };
  return {
    request: { method: 'POST', path: '/v1/pets', body, event: 'PetListed', marker: name, ...maybeKey(shared, random) },
    onSuccess: (response) => {
      state.pets.push(idOf(response));
      shared.pets.push(idOf(response));
    },
  };
};

const revisePet = (shared: SharedState, id: string): Plan => {
  const description = `revision ${shared.next()}`;
  const body = { name: `Revised ${id.slice(-8)}`, species: 'DOG', ageMonths: 12, status: 'AVAILABLE', description };
  return {
    request: { method: 'PUT', path: `/v1/pets/${id}`, body, event: 'PetDetailsRevised', marker: description },
    onSuccess: () => undefined,
  };
};

const retirePet = (id: string): Plan => ({
  request: { method: 'DELETE', path: `/v1/pets/${id}`, event: 'PetRetired', marker: `pet-${id}` },
  onSuccess: () => undefined,
});

const placeOrder = (shared: SharedState, state: ShopperState, petId: string, random: Random): Plan => {
  const userId = `user-${shared.next()}`;
  const body = { petId, userId, quantity: 1 + Math.floor(random() * 3) };
  return {
    request: { method: 'POST', path: '/v1/orders', body, event: 'OrderPlaced', marker: userId, ...maybeKey(shared, random) },
    onSuccess: (response) => void state.unpaid.push(idOf(response)),
  };
};

const payOrder = (shared: SharedState, state: ShopperState, id: string, random: Random): Plan => {
  // The pets have no price, so any amount is valid. The amount identifies the payment's event.
  const amount = `${shared.next()}.00`;
  const body = { amount, currency: 'USD', source: sourceOf(random, shared.slowCards) };
  return {
    request: {
      method: 'POST',
      path: `/v1/orders/${id}/payment`,
      body,
      event: 'PaymentRequested',
      marker: amount,
      ...maybeKey(shared, random),
    },
    onSuccess: () => void state.paid.push(id),
  };
};

const shipOrder = (id: string): Plan => ({
  request: { method: 'POST', path: `/v1/orders/${id}/shipment`, event: 'OrderShipped', marker: `order-${id}` },
  onSuccess: () => undefined,
});

const removeOrder = (id: string): Plan => ({
  request: { method: 'DELETE', path: `/v1/orders/${id}`, event: 'OrderRemoved', marker: `order-${id}` },
  onSuccess: () => undefined,
});

/** Chooses the next request of a shopper: mostly creations, sometimes deletions. */
export const planNext = (shared: SharedState, state: ShopperState, random: Random): Plan => {
  const roll = random();
  const own = pick(state.pets, random);
  const anyPet = pick(shared.pets, random);
  if (own !== undefined && roll < 0.12) return revisePet(shared, own);
  if (own !== undefined && roll < 0.17) return retirePet(own);
  if (anyPet !== undefined && roll < 0.45) return placeOrder(shared, state, anyPet, random);
  const unpaid = roll < 0.62 ? take(state.unpaid, random) : undefined;
  if (unpaid !== undefined) return payOrder(shared, state, unpaid, random);
  const paid = roll < 0.75 ? pick(state.paid, random) : undefined;
  if (paid !== undefined) return roll < 0.7 ? shipOrder(paid) : removeOrder(paid);
  return listPet(shared, state, random);
};

/** Sends a request. */
export const sendRequest = (call: Call, { method, path, body, idempotencyKey }: ChangeRequest): Promise<JsonResponse> =>
  call(method, path, { ...(body !== undefined && { body }), ...(idempotencyKey !== undefined && { idempotencyKey }) });

/** Starts shoppers. Each sends one request after another, until `stop` is called or one of its requests gets no response. */
export const startLoad = ({ url, token, shoppers, randomOf, recorder, shared }: LoadOptions): Load => {
  const call = caller(url, token);
  const shop = (random: Random): NextRequest => {
    const state = emptyShopperState();
    return async () => {
      const { request, onSuccess } = planNext(shared, state, random);
      const response = await recorder.send(request, (sent) => sendRequest(call, sent));
      if (response && response.status < 300) onSuccess(response);
      return response ? 'answered' : 'no answer';
    };
  };
  return startClients(Array.from({ length: shoppers }, (_, shopper) => shop(randomOf(shopper))));
};
