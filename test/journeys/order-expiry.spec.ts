import { afterEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import type { Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { readLedger } from '../servers/gateway-ledger.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SLOW_CARD = { object: 'card', number: '4000000000000259', expMonth: 12, expYear: 2090 };
const BANK_ACCOUNT = { object: 'bank_account', number: '000123456789' };

let open: InProcessPetstore | undefined;

afterEach(async () => {
  try {
    await open?.stop();
  } finally {
    open = undefined;
    removeFolders();
  }
});

const orderPet = async (call: Call): Promise<{ readonly petId: string; readonly orderId: string }> => {
  const pet = await call('POST', '/v1/pets', { body: { name: 'Hold', species: 'CAT', ageMonths: 4 } });
  const order = await call('POST', '/v1/orders', { body: { petId: pet.json['id'] } });
  expect(order.status).toBe(201);
  return { petId: String(pet.json['id']), orderId: String(order.json['id']) };
};

const pay = async (call: Call, orderId: string, source: object): Promise<string> => {
  const response = await call('POST', `/v1/orders/${orderId}/payment`, { body: { amount: '5.00', currency: 'USD', source } });
  expect([response.status, response.json['status']]).toEqual([201, 'processing']);
  return String(response.json['id']);
};

const statusOf = async (call: Call, path: string): Promise<unknown> => (await call('GET', path)).json['status'];

/** Proves contract 13.7 and contract 15.10. Proves rows of contract 42.21. */
describe('an unpaid order', () => {
  it('expires after ORDER_HOLD unless a payment is processing, and a late payment is refunded', async () => {
    const clock = manualClock();
    const dataDir = newFolder();
    open = await openInProcessStore(dataDir, { clock, slowMilliseconds: 3 * HOUR }, { ORDER_HOLD: '1h' });
    const { call } = open;
    const unpaid = await orderPet(call);
    const processing = await orderPet(call);
    const removed = await orderPet(call);
    const paid = await orderPet(call);
    const slowPayment = await pay(call, processing.orderId, SLOW_CARD);
    const latePayment = await pay(call, removed.orderId, SLOW_CARD);
    await pay(call, paid.orderId, BANK_ACCOUNT);
    await eventually('the quick payment', async () => (await statusOf(call, `/v1/orders/${paid.orderId}`)) === 'approved');
    expect((await call('DELETE', `/v1/orders/${removed.orderId}`)).status).toBe(204);

    // The clock advances minute by minute, so that each timer runs at the time for which it is set.
    await eventually('the unpaid order to be cancelled', async () => {
      clock.advance(MINUTE);
      return (await statusOf(call, `/v1/orders/${unpaid.orderId}`)) === 'cancelled';
    });
    expect(clock.now().getTime() - manualClock().now().getTime()).toBeGreaterThanOrEqual(HOUR);
    await eventually('its pet to be released', async () => (await statusOf(call, `/v1/pets/${unpaid.petId}`)) === 'AVAILABLE');
    expect(await statusOf(call, `/v1/orders/${processing.orderId}`)).toBe('placed');
    expect(await statusOf(call, `/v1/pets/${processing.petId}`)).toBe('PENDING');
    expect(await statusOf(call, `/v1/orders/${paid.orderId}`)).toBe('approved');
    expect(await statusOf(call, `/v1/pets/${removed.petId}`)).toBe('AVAILABLE');

    clock.advance(3 * HOUR);
    await eventually('the slow payment', async () => (await statusOf(call, `/v1/orders/${processing.orderId}`)) === 'approved');
    await eventually('its pet to be adopted', async () => (await statusOf(call, `/v1/pets/${processing.petId}`)) === 'ADOPTED');
    const charge = (id: string) => readLedger(dataDir).find(({ idempotencyKey }) => idempotencyKey === id);
    await eventually('the late payment to be refunded', () => charge(latePayment)?.refundedAt);
    expect(charge(latePayment)?.outcome).toBe('succeeded');
    expect(charge(slowPayment)).toMatchObject({ outcome: 'succeeded', refundedAt: null });
    // The late payment restores neither the removed order nor the reservation of its pet.
    expect((await call('GET', `/v1/orders/${removed.orderId}`)).status).toBe(404);
    expect(await statusOf(call, `/v1/pets/${removed.petId}`)).toBe('AVAILABLE');
  });
});
