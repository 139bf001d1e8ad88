import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AdoptionId, OrderId, PaymentId, PetId } from '../domain/ids.js';
import type { PaymentTerms } from '../domain/payment-terms.js';
import type { PetState } from '../domain/pets/pet.decider.js';
import { SimulatedStore, type AnyCommand } from './simulated-store.fixtures.js';

const PETS = ['pet-1', 'pet-2'] as PetId[];
const ORDERS = ['order-1', 'order-2', 'order-3'] as OrderId[];
const ADOPTIONS = ['adoption-1', 'adoption-2', 'adoption-3'] as AdoptionId[];
const PAYMENTS = ['payment-1', 'payment-2', 'payment-3'] as PaymentId[];
const terms: PaymentTerms = {
  amount: '45.00',
  currency: 'EUR',
  source: { object: 'bank_account', number: '*****6789' },
  reference: 'ref-1',
};
const OPEN = new Set(['placed', 'approved', 'shipped']);

type Step = (store: SimulatedStore) => void;

const pet = fc.constantFrom(...PETS);
const order = fc.constantFrom(...ORDERS);
const payment = fc.constantFrom(...PAYMENTS);
const adoption = fc.constantFrom(...ADOPTIONS);
const stream = fc.oneof(
  pet.map((id) => `pet-${id}`),
  order.map((id) => `order-${id}`),
  payment.map((id) => `payment-${id}`),
  adoption.map((id) => `adoption-${id}`),
);

/**
 * Reserves a pet for an order, and places the order unless the service crashes first. The order may be cancelled already.
 */
const place = fc.tuple(pet, order, fc.boolean()).map(([petId, orderId, crashes]): Step => (store) => {
  const current = store.order(orderId);
  if ('paidBy' in current ? current.paidBy !== null : current.status === 'placed') return;
  const rejection = store.perform({ type: 'ReservePet', data: { petId, holder: { kind: 'order', id: orderId }, quantity: 1 } });
  if (!rejection && !crashes)
    store.perform({ type: 'CreateOrder', data: { orderId, petId, quantity: 1, unitPrice: '45.00', currency: 'EUR' } });
});

/** Starts a payment, and requests it unless the service crashes first. A payment id is used for only one order. */
const pay = fc.tuple(order, payment, fc.boolean()).map(([orderId, paymentId, crashes]): Step => (store) => {
  const owner = ORDERS.find((id) => 'terms' in store.order(id) && JSON.stringify(store.order(id)).includes(paymentId));
  if (owner && owner !== orderId) return;
  const rejection = store.perform({ type: 'StartOrderPayment', data: { orderId, paymentId, today: '2026-02-01', ...terms } });
  if (!rejection && !crashes) store.perform({ type: 'CreatePayment', data: { orderId, paymentId, ...terms } });
});

/** Applies for a pet, and lets the application hold the pet unless the service crashes first. */
const apply = fc.tuple(pet, adoption, fc.boolean()).map(([petId, adoptionId, crashes]): Step => (store) => {
  const rejection = store.perform({ type: 'CreateAdoption', data: { adoptionId, petId, userId: 'ann' } });
  if (!rejection && !crashes) store.perform({ type: 'HoldPetForAdoption', data: { petId, adoptionId } });
});

/** Starts the approval of an application, and gives the pet to the application unless the service crashes first. */
const approveAdoption = fc.tuple(adoption, fc.boolean()).map(([adoptionId, crashes]): Step => (store) => {
  const state = store.adoption(adoptionId);
  const rejection = store.perform({ type: 'StartAdoptionApproval', data: { adoptionId } });
  if (!rejection && !crashes && state.status !== 'unsubmitted')
    store.perform({ type: 'AdoptPetByApplication', data: { petId: state.petId, adoptionId } });
});

const onAdoption = (command: (adoptionId: AdoptionId) => AnyCommand) =>
  adoption.map(
    (id): Step =>
      (store) =>
        void store.perform(command(id)),
  );

const onOrder = (command: (orderId: OrderId) => AnyCommand) =>
  order.map(
    (id): Step =>
      (store) =>
        void store.perform(command(id)),
  );

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: place },
  { weight: 3, arbitrary: pay },
  onOrder((orderId) => ({ type: 'DeleteOrder', data: { orderId } })),
  onOrder((orderId) => ({ type: 'ShipOrder', data: { orderId, today: '2026-02-01' } })),
  onOrder((orderId) => ({ type: 'DeliverOrder', data: { orderId } })),
  onOrder((orderId) => ({ type: 'ExpireOrder', data: { orderId, placedBefore: '2026-02-01T00:00:00.000Z' } })),
  { weight: 3, arbitrary: apply },
  { weight: 2, arbitrary: approveAdoption },
  onAdoption((adoptionId) => ({ type: 'RejectAdoption', data: { adoptionId, reason: 'declined' } })),
  onAdoption((adoptionId) => ({ type: 'WithdrawAdoption', data: { adoptionId } })),
  onAdoption((adoptionId) => ({ type: 'DeleteAdoption', data: { adoptionId } })),
  onAdoption((adoptionId) => ({ type: 'ExpireAdoption', data: { adoptionId, submittedBefore: '2026-02-01T00:00:00.000Z' } })),
  pet.map(
    (petId): Step =>
      (store) =>
        void store.perform({ type: 'DeletePet', data: { petId } }),
  ),
  {
    weight: 6,
    arbitrary: stream.map(
      (name): Step =>
        (store) =>
          void store.deliver(name),
    ),
  },
  {
    weight: 2,
    arbitrary: stream.map(
      (name): Step =>
        (store) =>
          void store.deliver(name, 1),
    ),
  },
  {
    weight: 2,
    arbitrary: stream.map(
      (name): Step =>
        (store) =>
          store.deliverAgain(name),
    ),
  },
);

const holderOf = (state: PetState): OrderId | undefined => state.reservation?.holder.id;

/** Checks that every open order holds its pet. A pet has one holder, so no two open orders have the same pet. */
const everyOpenOrderHoldsItsPet = (store: SimulatedStore): void => {
  for (const id of ORDERS) {
    const state = store.order(id);
    if ('terms' in state && OPEN.has(state.status)) expect(holderOf(store.pet(state.terms.petId))).toBe(id);
  }
};

const everyHeldPetHasAnOpenOrder = (store: SimulatedStore): void => {
  for (const id of PETS) {
    const state = store.pet(id);
    const holder = holderOf(state);
    if (state.kind !== 'listed' || !holder) continue;
    const { status } = store.order(holder);
    expect(OPEN.has(status)).toBe(true);
    expect(state.status).toBe(status === 'placed' ? 'PENDING' : 'ADOPTED');
  }
};

/** Checks that the open applications for a pet hold it together, and that the pet was given to each approved application. */
const everyApplicationHasItsPet = (store: SimulatedStore): void => {
  for (const id of ADOPTIONS) {
    const state = store.adoption(id);
    if (state.status === 'unsubmitted') continue;
    const { applications, reservation } = {
      applications: { open: [] as readonly string[], approved: [] as readonly string[] },
      ...store.pet(state.petId),
    };
    expect(applications.open.includes(id)).toBe(state.status === 'submitted');
    expect(applications.approved.includes(id)).toBe(state.status === 'approved');
    expect(state.isApproving).toBe(false);
    if (state.status === 'submitted') expect(reservation).toBeNull();
  }
};

/** Checks that a pet that applications hold is PENDING and has no order, and that each of these applications is open. */
const everyHeldPetHasOpenApplications = (store: SimulatedStore): void => {
  for (const id of PETS) {
    const state = store.pet(id);
    if (state.kind !== 'listed' || state.applications.open.length === 0) continue;
    expect([state.status, state.reservation]).toEqual(['PENDING', null]);
    for (const holder of state.applications.open) expect(store.adoption(holder).status).toBe('submitted');
  }
};

/** Checks that every payment was charged once. If the charge succeeded, the payment has paid an order or was refunded. */
const everyPaymentIsSettled = (store: SimulatedStore): void => {
  for (const id of PAYMENTS) {
    const state = store.payment(id);
    if (state.status === 'unrequested') continue;
    const hasPaidAnOrder = ORDERS.some((orderId) =>
      Object.entries(store.order(orderId)).some(([name, value]) => name === 'paidBy' && value === id),
    );
    expect(state.status).not.toBe('processing');
    expect(store.charges.get(id)).toBe(1);
    expect(hasPaidAnOrder).toBe(state.status === 'succeeded');
    expect(store.refunds.has(id)).toBe(state.status === 'refunded');
  }
  for (const id of ORDERS) expect(store.order(id)).not.toMatchObject({ openPayment: expect.anything() });
};

describe('a service under any sequence of commands, crashes and repeated messages', () => {
  it('never gives one pet to two orders or applications, and ends without orphaned holds or payments', () => {
    const runs = fc.property(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), fc.subarray(PAYMENTS), (steps, declines) => {
      const store = new SimulatedStore(PETS, new Set(declines));
      for (const one of steps) {
        one(store);
        everyOpenOrderHoldsItsPet(store);
      }
      store.deliverAll();
      everyOpenOrderHoldsItsPet(store);
      everyHeldPetHasAnOpenOrder(store);
      everyPaymentIsSettled(store);
      everyApplicationHasItsPet(store);
      everyHeldPetHasOpenApplications(store);
    });
    // A fixed seed makes failures reproducible.
    fc.assert(runs, { seed: 20260102, numRuns: 500 });
  });
});
