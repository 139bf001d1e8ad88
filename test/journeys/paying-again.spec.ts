import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { PETS, ORDERS } from '../../libs/application/aggregates.js';
import { Numbers } from '../../libs/application/numbers/numbers.js';
import { createOrder, CreateOrder } from '../../libs/application/orders/order.commands.js';
import { chargePayment, createOrderPayment, CreateOrderPayment } from '../../libs/application/payments/payment.commands.js';
import { commandContext } from '../../libs/application/request.js';
import type { PaymentId, PetId } from '../../libs/domain/ids.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';

const REQUEST = { tenant: 'shared', actor: 'anna', requestId: 'r' };
const CARD = { object: 'card', number: '4000000000000002', cvc: '123', expMonth: 12, expYear: 2099 } as const;

/** Proves contract 15.4. */
describe('an order with a failed payment', () => {
  let store: EmbeddedStore;
  beforeEach(async () => void (store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent') })));
  afterEach(() => store.close());

  it('can be paid again before the payment process has recorded the failure on it', async () => {
    // No domain process runs here, so the failure is not recorded on the order.
    const aggregates = new Aggregates(store.store, store.codec);
    const ports = { ...store, aggregates, numbers: new Numbers(aggregates) };
    const petId = store.ids.next() as PetId;
    const details = { name: 'Rex', species: 'DOG', ageMonths: 3 } as const;
    await aggregates.handle(
      PETS,
      petId,
      { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } },
      commandContext(REQUEST),
    );
    const order = await createOrder(ports, new CreateOrder({ petId, quantity: 1 }, REQUEST));
    if (!('id' in order)) throw new Error(order.rejected);
    const pay = () =>
      createOrderPayment(
        ports,
        new CreateOrderPayment(order.id, { amount: '10.00', currency: 'USD', instrument: CARD, holder: {} }, REQUEST),
      );
    const first = await pay();
    if (!('id' in first)) throw new Error(first.rejected);
    expect(await pay()).toMatchObject({ rejected: 'payment_processing' });

    await chargePayment(ports, { paymentId: first.id as PaymentId }, commandContext(REQUEST));
    const second = await pay();
    expect(second).toMatchObject({ replayed: false });
    expect((await aggregates.load(ORDERS, order.id)).state).toMatchObject({ openPayment: 'id' in second && second.id });
  });
});
