import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { PETS } from '../../libs/application/aggregates.js';
import type { PetId } from '../../libs/domain/ids.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { openInProcessStore, type InProcessPetstore } from '../journeys/in-process-petstore.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore as it } from '../servers/test-petstore.js';
import { stopByClock } from '../stop-by-clock.js';
import { canariesIn, canariesUnder, type Canary } from '../servers/canaries.js';
import { ODD_CARDS, ODD_NUMBERS, ODD_SOURCES } from './odd-money.js';
import { card } from './shop.js';

/** A number with a valid check digit (Luhn). No bank has issued it. */
const CARD = '4929184736501828';
const CVC = '9173';
const ACCOUNT = '00938475610284';
const HOUR = 3_600_000;
const START = '2026-01-02T03:04:05.678Z';
const clock = manualClock(START);
let folder: string;
let own: InProcessPetstore;
beforeAll(async () => {
  folder = newFolder();
  own = await openInProcessStore(folder, { clock, slowMilliseconds: 100 * HOUR }, { LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  await stopByClock(clock, own);
  removeFolders();
});

const orderOf = async (fields: object = { price: '250.00' }): Promise<string> => {
  const pet = await own.call('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 3, ...fields } });
  return String((await own.call('POST', '/v1/orders', { body: { petId: pet.json['id'] } })).json['id']);
};
/** Pays without a token, because a token would expire when the clock advances. */
const pay = (orderId: string | undefined, source: unknown, more: { idempotencyKey?: string; amount?: string } = {}) => {
  const { amount = '250.00', ...key } = more;
  return own.call('POST', `/v1/orders/${orderId}/payment`, { body: { amount, currency: 'USD', source }, token: undefined, ...key });
};
const cardOf = (expMonth: number, expYear: number): object => card(CARD, { cvc: CVC, expMonth, expYear });

/** Times at the ends of months, the expiry of a card, and whether the card is valid then. Some times have an offset to UTC. */
const EDGES: readonly (readonly [at: string, expMonth: number, expYear: number, isValid: boolean])[] = [
  ['2026-01-31T23:59:59.999Z', 1, 2026, true],
  ['2026-02-01T00:00:00.000Z', 1, 2026, false],
  ['2026-02-01T13:59:59.999+14:00', 1, 2026, true],
  ['2026-02-01T14:00:00.000+14:00', 1, 2026, false],
  ['2026-01-31T11:59:59.999-12:00', 1, 2026, true],
  ['2026-01-31T12:00:00.000-12:00', 1, 2026, false],
  ['2026-12-31T23:59:59.999Z', 12, 2026, true],
  ['2027-01-01T00:00:00.000Z', 12, 2026, false],
  ['2027-01-01T00:00:00.000Z', 1, 2027, true],
  ['2026-12-31T23:59:59.999Z', 11, 2026, false],
  ['2027-02-28T23:59:59.999Z', 2, 2027, true],
  ['2027-03-01T00:00:00.000Z', 2, 2027, false],
  ['2028-02-29T00:00:00.000Z', 2, 2028, true],
  ['2028-02-29T23:59:59.999Z', 2, 2028, true],
  ['2028-03-01T00:00:00.000Z', 2, 2028, false],
  ['2026-04-30T23:59:59.999Z', 4, 2026, true],
  ['2026-05-01T00:00:00.000Z', 4, 2026, false],
  ['2026-10-01T00:00:00.000Z', 9, 2026, false],
  ['2026-09-30T23:59:59.999Z', 10, 2026, true],
  ['2026-06-15T12:00:00.000Z', 6, 2025, false],
  ['2026-06-15T12:00:00.000Z', 12, 2000, false],
  ['2026-06-15T12:00:00.000Z', 1, 9999, true],
];

/** Proves contract 9.2 and contract 15.5. */
describe(`a card’s expiry (${EDGES.length + 5} cases)`, () => {
  it(`is the end of its month in UTC: ${EDGES.length} times`, async () => {
    const orders: string[] = [];
    while (orders.length < EDGES.length) orders.push(await orderOf());
    for (const [index, [at, expMonth, expYear, isValid]] of EDGES.entries()) {
      clock.set(at);
      const { status } = await pay(orders[index], cardOf(expMonth, expYear));
      expect({ at, expMonth, expYear, status }).toEqual({ at, expMonth, expYear, status: isValid ? 201 : 422 });
    }
    clock.set(START);
  });

  it('does not prevent the replay of a payment that was accepted before', async () => {
    clock.set('2026-01-31T23:59:00.000Z');
    const orderId = await orderOf();
    const idempotencyKey = randomUUID();
    const first = await pay(orderId, cardOf(1, 2026), { idempotencyKey });
    expect(first.status).toBe(201);
    clock.set('2026-02-01T00:00:00.000Z');
    const again = await pay(orderId, cardOf(1, 2026), { idempotencyKey });
    expect([again.status, again.headers['idempotent-replayed'], again.json]).toEqual([201, 'true', first.json]);
    const otherBody = await pay(orderId, cardOf(12, 2025), { idempotencyKey });
    expect([otherBody.status, otherBody.json['type']]).toEqual([422, expect.stringContaining('idempotency-key-reused')]);
    const otherKey = await pay(await orderOf(), cardOf(1, 2026), { idempotencyKey: randomUUID() });
    expect([otherKey.status, JSON.stringify(otherKey.json)]).toEqual([422, expect.stringContaining('"expired"')]);
    clock.set(START);
  });
});

/** Returns the references of payment instruments: `stored` in the gateway's ledger, and `used` in events. Both are sorted. */
const instrumentReferences = async () => {
  const ledger = new DatabaseSync(join(folder, 'gateway.sqlite'), { readOnly: true });
  const stored = ledger.prepare('SELECT reference FROM instruments ORDER BY reference').all();
  ledger.close();
  const events = (await own.store.store.readAll(0, 100_000)).map((event) => own.store.codec.decode(event));
  const started = events.filter(({ type }) => type === 'OrderPaymentStarted').map(({ data }) => (data as { reference: string }).reference);
  return { stored: stored.map(({ reference }) => String(reference)), used: started.toSorted() };
};

/** Proves contract 15.8: unused instruments. */
describe('the gateway’s stored payment instruments (30 payments)', () => {
  it('include none of a rejected payment; they are deleted a day after a lost race, and kept during a slow charge', async () => {
    const [slow, raced] = [await orderOf(), await orderOf()];
    expect((await pay(slow, card('4000000000000259'))).status).toBe(201);
    const before = await instrumentReferences();
    expect(before.stored).toEqual(before.used);
    for (const source of [cardOf(12, 2025), card('4242424242424241')]) expect((await pay(raced, source)).status).toBe(422);
    for (const orderId of [slow, randomUUID()]) expect([404, 409]).toContain((await pay(orderId, cardOf(12, 2030))).status);
    expect((await pay(raced, cardOf(12, 2030), { amount: '1.00' })).status).toBe(422);
    expect(await instrumentReferences()).toEqual(before);

    const responses = await Promise.all(Array.from({ length: 25 }, () => pay(raced, cardOf(12, 2030))));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await instrumentReferences()).stored.length).toBeGreaterThan(before.stored.length + 1);
    await eventually('the deletion of unused instruments', async () => {
      clock.advance(HOUR);
      const { stored, used } = await instrumentReferences();
      return stored.length === used.length;
    });
    const after = await instrumentReferences();
    expect(after.stored).toEqual(after.used);
    const statusOf = async (orderId: string) => (await own.call('GET', `/v1/orders/${orderId}`, { token: undefined })).json['status'];
    expect(await statusOf(slow)).toBe('placed');
    await eventually('the slow payment', async () => {
      clock.advance(10 * HOUR);
      return (await statusOf(slow)) === 'approved';
    });
    clock.set(START);
  });
});

/** Proves contract 3.7 and contract 13.5. */
describe('a pet that an earlier version stored', () => {
  it('is shown unchanged, and an order for it returns 409 if its currency is withdrawn', async () => {
    const aggregates = new Aggregates(own.store.store, own.store.codec);
    const context = { tenant: 'shared', actor: 'old', correlationId: 'old', causationId: 'old' };
    const listed = async (price: string, currency: string): Promise<string> => {
      const petId = own.store.ids.next() as PetId;
      const details = { name: 'Old', species: 'DOG', ageMonths: 3, price, currency } as const;
      await aggregates.handle(PETS, petId, { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } }, context);
      return petId;
    };
    const [withdrawn, zeros] = [await listed('10.00', 'BGN'), await listed('0007.50', 'USD')];
    expect((await own.call('GET', `/v1/pets/${withdrawn}`)).json).toMatchObject({ price: '10.00', currency: 'BGN' });
    expect((await own.call('GET', `/v1/pets/${zeros}`)).json).toMatchObject({ price: '0007.50', currency: 'USD' });
    expect((await own.call('POST', '/v1/orders', { body: { petId: withdrawn } })).status).toBe(409);
    const order = await own.call('POST', '/v1/orders', { body: { petId: zeros } });
    expect((await pay(String(order.json['id']), cardOf(12, 2030), { amount: '7.50' })).status).toBe(201);
  });
});

const NEVER_STORED: readonly Canary[] = [
  { what: 'the card number', text: CARD },
  { what: 'the account number', text: ACCOUNT },
  // Three or four digits alone occur in every file by chance, so the cvc is searched for as a JSON string.
  { what: 'the cvc', text: `"${CVC}"` },
  ...ODD_NUMBERS.filter((number) => number.length > 11 && !/[*X]/.test(number)).map((text) => ({ what: 'a mistyped number', text })),
];
const PAYMENT_COUNT = ODD_NUMBERS.length + ODD_CARDS.length + ODD_SOURCES.length + 3;

/** Proves contract 15.8 and contract 23.8. */
describe(`card and account numbers of ${PAYMENT_COUNT} payments`, () => {
  it('are neither on the disk nor in the log output, for accepted and rejected payments', async () => {
    const orderId = await orderOf();
    const rejected: unknown[] = [
      ...ODD_NUMBERS.map((number) => ({ ...card(CARD, { cvc: CVC }), number })),
      ...ODD_CARDS.map(([fields]) => ({ ...card(CARD, { cvc: CVC }), ...fields })),
      ...ODD_SOURCES.map(([source, field]) =>
        typeof source === 'object' && source !== null && field !== 'source.number' ? { ...source, number: CARD } : source,
      ),
    ];
    for (const source of rejected) expect((await pay(orderId, source)).status).toBe(422);
    expect((await pay(orderId, cardOf(12, 2030), { amount: '1.00' })).status).toBe(422);
    expect((await pay(orderId, { object: 'bank_account', number: ACCOUNT })).status).toBe(201);
    expect((await pay(orderId, cardOf(12, 2030))).status).toBe(409);
    expect(canariesUnder(folder, NEVER_STORED)).toEqual([]);
    expect(own.lines.length).toBeGreaterThan(PAYMENT_COUNT);
    expect(canariesIn('the log output', Buffer.from(own.lines.join('\n')), NEVER_STORED)).toEqual([]);
  });
});
