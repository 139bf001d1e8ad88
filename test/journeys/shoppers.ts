import { caller, type Answer, type Call } from '../servers/calling.js';
import type { Deed, Witness } from './request-recorder.js';

export type Random = () => number;

/** What one shopper has been promised so far. */
type Belongings = {
  readonly pets: string[];
  readonly unpaid: string[];
  readonly paid: string[];
};

/** What a shopper begins with. */
export const nothingYet = (): Belongings => ({ pets: [], unpaid: [], paid: [] });

/** Shared by all shoppers of one store, over all its restarts. */
export type Market = {
  /** Pets that anybody may order. */
  readonly pets: string[];
  /** Makes names, amounts and keys that were never used before. */
  next(): number;
  /** Whether some pay with the card that takes its time. */
  readonly slowCards: boolean;
};

export const openMarket = (slowCards = false): Market => {
  let count = 0;
  return { pets: [], slowCards, next: () => ++count };
};

type LoadOptions = {
  readonly url: string;
  readonly token: string;
  readonly shoppers: number;
  /** A source of chance for each shopper by its number, so that one seed makes one choice of deeds. */
  readonly randomOf: (shopper: number) => Random;
  readonly witness: Witness;
  readonly market: Market;
};

/** A load under way. */
export type Load = {
  /** Resolves, in the very turn in which it happens, when so many requests have been sent or answered. */
  after(count: number, what: 'sent' | 'answered'): Promise<void>;
  /** How many requests are under way now. */
  inFlight(): number;
  answered(): number;
  /** Takes up nothing new; resolves when every shopper has gone. */
  stop(): Promise<void>;
  /** Resolves when every shopper has gone: the store gave no answer any more, or `stop` was called. */
  readonly over: Promise<void>;
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

/** A deed, and what its success gives the shopper. */
type Plan = { readonly deed: Deed; readonly then: (answer: Answer) => void };

const idOf = ({ json }: Answer): string => String(json['id']);

const keyed = (market: Market, random: Random): { idempotencyKey?: string } =>
  random() < 0.6 ? { idempotencyKey: `key-${market.next()}` } : {};

const listPet = (market: Market, mine: Belongings, random: Random): Plan => {
  const name = `Pet ${market.next()}`;
  const body = { name, species: pick(['DOG', 'CAT', 'BIRD'], random), ageMonths: Math.floor(random() * 60), status: 'AVAILABLE' };
  return {
    deed: { method: 'POST', path: '/v1/pets', body, event: 'PetListed', mark: name, ...keyed(market, random) },
    then: (answer) => {
      mine.pets.push(idOf(answer));
      market.pets.push(idOf(answer));
    },
  };
};

const revisePet = (market: Market, id: string): Plan => {
  const description = `revision ${market.next()}`;
  const body = { name: `Revised ${id.slice(-8)}`, species: 'DOG', ageMonths: 12, status: 'AVAILABLE', description };
  return { deed: { method: 'PUT', path: `/v1/pets/${id}`, body, event: 'PetDetailsRevised', mark: description }, then: () => undefined };
};

const retirePet = (id: string): Plan => ({
  deed: { method: 'DELETE', path: `/v1/pets/${id}`, event: 'PetRetired', mark: `pet-${id}` },
  then: () => undefined,
});

const placeOrder = (market: Market, mine: Belongings, petId: string, random: Random): Plan => {
  const userId = `user-${market.next()}`;
  const body = { petId, userId, quantity: 1 + Math.floor(random() * 3) };
  return {
    deed: { method: 'POST', path: '/v1/orders', body, event: 'OrderPlaced', mark: userId, ...keyed(market, random) },
    then: (answer) => void mine.unpaid.push(idOf(answer)),
  };
};

const payOrder = (market: Market, mine: Belongings, id: string, random: Random): Plan => {
  // The pets have no price, so that any amount will do, and each amount is its payment's mark.
  const amount = `${market.next()}.00`;
  const body = { amount, currency: 'USD', source: sourceOf(random, market.slowCards) };
  return {
    deed: { method: 'POST', path: `/v1/orders/${id}/payment`, body, event: 'PaymentRequested', mark: amount, ...keyed(market, random) },
    then: () => void mine.paid.push(id),
  };
};

const shipOrder = (id: string): Plan => ({
  deed: { method: 'POST', path: `/v1/orders/${id}/shipment`, event: 'OrderShipped', mark: `order-${id}` },
  then: () => undefined,
});

const removeOrder = (id: string): Plan => ({
  deed: { method: 'DELETE', path: `/v1/orders/${id}`, event: 'OrderRemoved', mark: `order-${id}` },
  then: () => undefined,
});

/** What a shopper does next: mostly what fills the store, now and then what empties it. */
export const planNext = (market: Market, mine: Belongings, random: Random): Plan => {
  const roll = random();
  const own = pick(mine.pets, random);
  const anybodys = pick(market.pets, random);
  if (own !== undefined && roll < 0.12) return revisePet(market, own);
  if (own !== undefined && roll < 0.17) return retirePet(own);
  if (anybodys !== undefined && roll < 0.45) return placeOrder(market, mine, anybodys, random);
  const unpaid = roll < 0.62 ? take(mine.unpaid, random) : undefined;
  if (unpaid !== undefined) return payOrder(market, mine, unpaid, random);
  const paid = roll < 0.75 ? pick(mine.paid, random) : undefined;
  if (paid !== undefined) return roll < 0.7 ? shipOrder(paid) : removeOrder(paid);
  return listPet(market, mine, random);
};

/** Sends a deed; its answer is witnessed. */
export const perform = (call: Call, { method, path, body, idempotencyKey }: Deed): Promise<Answer> =>
  call(method, path, { ...(body !== undefined && { body }), ...(idempotencyKey !== undefined && { idempotencyKey }) });

/** Lets shoppers loose on a store, each one deed after the other, until no answer comes or they are stopped. */
export const startLoad = ({ url, token, shoppers, randomOf, witness, market }: LoadOptions): Load => {
  const call = caller(url, token);
  const counts = { sent: 0, answered: 0, gone: 0 };
  const waiting = new Set<{ what: 'sent' | 'answered'; count: number; reached: () => void }>();
  let stopping = false;

  const counted = (what: 'sent' | 'answered'): void => {
    counts[what]++;
    for (const wait of waiting) if (wait.what === what && counts[what] >= wait.count && waiting.delete(wait)) wait.reached();
  };

  const shop = async (random: Random): Promise<void> => {
    const mine = nothingYet();
    while (!stopping) {
      const { deed, then } = planNext(market, mine, random);
      const outcome = witness.sent(deed);
      const answering = perform(call, deed);
      counted('sent');
      try {
        outcome.answer = await answering;
      } catch {
        // No answer: the store is gone, or going.
        counts.gone++;
        return;
      }
      if (outcome.answer.status < 300) then(outcome.answer);
      counted('answered');
    }
  };

  const over = Promise.all(Array.from({ length: shoppers }, (_, shopper) => shop(randomOf(shopper)))).then(() => undefined);
  return {
    after: (count, what) => new Promise((reached) => void waiting.add({ what, count, reached })),
    inFlight: () => counts.sent - counts.answered - counts.gone,
    answered: () => counts.answered,
    over,
    stop: () => {
      stopping = true;
      return over;
    },
  };
};
