import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../eventsourcing/canonical-json.js';
import { isRejection, type Decider } from '../eventsourcing/decider.js';
import type { Message } from '../eventsourcing/message.js';
import { recorded } from '../eventsourcing/testing/recorded.js';
import { ADOPTION_REJECTION_REASONS } from './adoptions/adoption.events.js';
import { adoptionDecider, type AdoptionCommand } from './adoptions/adoption.decider.js';
import type { AdoptionId, CallbackRequestId, OrderId, PaymentId, PetId, WebhookId } from './ids.js';
import { orderDecider, type OrderCommand } from './orders/order.decider.js';
import type { PaymentTerms } from './payment-terms.js';
import { paymentDecider, type PaymentCommand } from './payments/payment.decider.js';
import { petDecider, type PetCommand } from './pets/pet.decider.js';
import { PET_STATUSES, SPECIES, type ClassicDetails, type NumberedName, type PetDetails } from './pets/pet.events.js';
import { webhookDecider, type WebhookCommand } from './webhooks/webhook.decider.js';
import { SUBSCRIBABLE_EVENTS, WEBHOOK_STATUSES } from './webhooks/webhook.events.js';
import fc from 'fast-check';

/** A fixed seed makes failures reproducible. */
const RUNS = { seed: 20260102, numRuns: 200 };

const petId = fc.constantFrom('pet-1' as PetId, 'pet-2' as PetId);
const imageId = fc.constantFrom('image-1', 'image-2');
const orderId = fc.constantFrom('order-1' as OrderId, 'order-2' as OrderId);
const paymentId = fc.constantFrom('payment-1' as PaymentId, 'payment-2' as PaymentId);
const adoptionId = fc.constantFrom('adoption-1' as AdoptionId, 'adoption-2' as AdoptionId);
const holder = fc.record({ kind: fc.constant('order' as const), id: orderId });
const quantity = fc.constantFrom(-1, 0, 1, 2, 100, 101, 1.5);
const amount = fc.constantFrom('45.00', '90.00', '4500.00', '90', 'much', '');
const currency = fc.constantFrom('EUR', 'USD');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Omits undefined members, as JSON does. */
const asJson = <T>(arbitrary: fc.Arbitrary<unknown>) => arbitrary.map((value) => JSON.parse(JSON.stringify(value)) as T);

const command = <C extends Message>(type: C['type'], data: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  asJson<C>(fc.record({ type: fc.constant(type), data: fc.record(data) }));

const status = fc.constantFrom(...PET_STATUSES);
const details = asJson<PetDetails>(
  fc.record({
    name: fc.string(),
    species: fc.constantFrom(...SPECIES),
    ageMonths: fc.nat(),
    price: optional(amount),
    currency: optional(currency),
  }),
);
const number = fc.nat();
const numberedName = asJson<NumberedName>(fc.record({ id: optional(fc.nat()), name: optional(fc.string()) }));
const classic = asJson<ClassicDetails>(fc.record({ category: optional(numberedName), tags: optional(fc.array(numberedName)) }));
const petCommand: fc.Arbitrary<PetCommand> = fc.oneof(
  command<PetCommand>('CreatePet', { petId, details, status, number, classic: optional(classic) }),
  command<PetCommand>('UpdatePet', { petId, details, status, classic: optional(classic) }),
  command<PetCommand>('DeletePet', { petId }),
  command<PetCommand>('AddPetPhoto', { petId, image: fc.record({ imageId, digest: fc.constant('digest') }) }),
  command<PetCommand>('RemovePetPhoto', { petId, imageId }),
  command<PetCommand>('ReservePet', { petId, holder, quantity, userId: optional(fc.string()), shipDate: optional(fc.string()), number }),
  command<PetCommand>('ReleasePet', { petId, holder, to: fc.constantFrom('AVAILABLE', 'ADOPTED') }),
  command<PetCommand>('AdoptPet', { petId, holder }),
  command<PetCommand>('HoldPetForAdoption', { petId, adoptionId }),
  command<PetCommand>('FreePetFromAdoption', { petId, adoptionId }),
  command<PetCommand>('AdoptPetByApplication', { petId, adoptionId }),
);

const source = fc.constant<PaymentTerms['source']>({ object: 'bank_account', number: '*****6789' });
const terms = { amount, currency, source, reference: fc.constant('ref-1') };
const time = fc.constantFrom('2026-01-02T03:04:04.000Z', '2026-01-02T03:04:06.000Z', 'yesterday');
const requestId = fc.integer({ min: 1, max: 7 }).map((number) => `request-${number}` as CallbackRequestId);
const callback = { callbackUrl: fc.webUrl(), amount, currency, timestamp: time };
const orderCommand: fc.Arbitrary<OrderCommand> = fc.oneof(
  command<OrderCommand>('CreateOrder', { orderId, petId, quantity, unitPrice: optional(amount), currency: optional(currency) }),
  command<OrderCommand>('StartOrderPayment', { orderId, paymentId, today: time, ...terms }),
  command<OrderCommand>('FailOrderPayment', { orderId, paymentId, reason: fc.string() }),
  command<OrderCommand>('ApproveOrder', { orderId, paymentId }),
  command<OrderCommand>('ShipOrder', { orderId, today: time }),
  command<OrderCommand>('DeliverOrder', { orderId }),
  command<OrderCommand>('DeleteOrder', { orderId }),
  command<OrderCommand>('ExpireOrder', { orderId, placedBefore: time }),
  command<OrderCommand>('RequestOrderCallback', { orderId, requestId, ...callback }),
  command<OrderCommand>('EndOrderCallback', { orderId, requestId, outcome: fc.constantFrom('delivered', 'parked') }),
);

const outcome = fc.constantFrom({ status: 'succeeded' }, { status: 'failed', reason: 'card_declined' });
const paymentCommand: fc.Arbitrary<PaymentCommand> = fc.oneof(
  command<PaymentCommand>('CreatePayment', { paymentId, orderId, ...terms }),
  command<PaymentCommand>('SettlePayment', { paymentId, outcome }),
  command<PaymentCommand>('RecordRefund', { paymentId }),
);

const adoptionCommand: fc.Arbitrary<AdoptionCommand> = fc.oneof(
  command<AdoptionCommand>('CreateAdoption', {
    adoptionId,
    petId,
    applicant: optional(fc.record({ name: fc.string(), email: fc.string() })),
    message: optional(fc.string()),
  }),
  command<AdoptionCommand>('StartAdoptionApproval', { adoptionId }),
  command<AdoptionCommand>('ApproveAdoption', { adoptionId }),
  command<AdoptionCommand>('RejectAdoption', { adoptionId, reason: fc.constantFrom(...ADOPTION_REJECTION_REASONS) }),
  command<AdoptionCommand>('WithdrawAdoption', { adoptionId }),
  command<AdoptionCommand>('ExpireAdoption', { adoptionId, submittedBefore: time }),
  command<AdoptionCommand>('DeleteAdoption', { adoptionId }),
);

const webhookId = fc.constantFrom('webhook-1' as WebhookId, 'webhook-2' as WebhookId);
const url = fc.constantFrom('https://one.example.com', 'https://other.example.com');
const webhookTerms = { url, events: fc.subarray([...SUBSCRIBABLE_EVENTS]).map((names) => names.toReversed()), ordered: fc.boolean() };
const webhookCommand: fc.Arbitrary<WebhookCommand> = fc.oneof(
  command<WebhookCommand>('CreateWebhook', { webhookId, ...webhookTerms }),
  command<WebhookCommand>('UpdateWebhook', { webhookId, ...webhookTerms, status: optional(fc.constantFrom(...WEBHOOK_STATUSES)) }),
  command<WebhookCommand>('RotateWebhookSecret', { webhookId, rotationId: fc.constantFrom('a', 'b', 'c') }),
  command<WebhookCommand>('DisableWebhook', { webhookId, reason: fc.constantFrom('gone', 'failing'), url }),
  command<WebhookCommand>('DeleteWebhook', { webhookId }),
);

type Check<S, C, E> = (command: C, before: S, events: readonly E[], state: S) => void;

/** Decides one command after another, and checks what each has changed. */
const run = <S, C extends Message, E extends Message, R extends string>(
  { initial, decide, evolve }: Decider<S, C, E, R>,
  commands: readonly C[],
  check: Check<S, C, E>,
): void => {
  const past: E[] = [];
  let state = initial;
  for (const next of commands) {
    const decision = decide(next, state);
    const before = state;
    if (!isRejection(decision)) past.push(...decision);
    state = recorded(past).reduce((folded, event) => evolve(folded, event, event.meta), initial);
    check(next, before, isRejection(decision) ? [] : decision, state);
  }
};

/** Checks the properties that every decider has for any sequence of commands. */
const checkAll = <S, C extends Message, E extends Message, R extends string>(decider: Decider<S, C, E, R>, command: fc.Arbitrary<C>) => {
  const history = fc.array(command, { maxLength: 30, size: 'max' });
  const runEach = (commands: readonly C[], check: Check<S, C, E>): void => run(decider, commands, check);

  it('never throws, neither in decide nor in evolve', () =>
    fc.assert(
      fc.property(history, (commands) => runEach(commands, () => undefined)),
      RUNS,
    ));

  it('records nothing when a command is repeated', () =>
    fc.assert(
      fc.property(history, (commands) =>
        runEach(commands, (command, _, __, state) => {
          const again = decider.decide(command, state);
          expect(isRejection(again) ? [] : again).toEqual([]);
        }),
      ),
      RUNS,
    ));

  it('changes state only by the events it records', () =>
    fc.assert(
      fc.property(history, (commands) =>
        runEach(commands, (_, before, events, state) => {
          if (events.length === 0) expect(state).toEqual(before);
          else expect(state).not.toEqual(before);
        }),
      ),
      RUNS,
    ));

  it('returns events of plain JSON only', () =>
    fc.assert(
      fc.property(history, (commands) =>
        runEach(commands, (_, __, events) => expect(JSON.parse(canonicalJson(events))).toStrictEqual(events)),
      ),
      RUNS,
    ));
};

describe('the decider of pets', () => checkAll(petDecider, petCommand));
describe('the decider of orders', () => checkAll(orderDecider, orderCommand));
describe('the decider of payments', () => checkAll(paymentDecider, paymentCommand));
describe('the decider of adoption applications', () => checkAll(adoptionDecider, adoptionCommand));
describe('the decider of webhook endpoints', () => checkAll(webhookDecider, webhookCommand));
