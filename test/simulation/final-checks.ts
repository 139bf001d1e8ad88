import { ADOPTIONS, EMAILS, ORDERS, PAYMENTS, PETS, USERNAMES, USERS } from '../../libs/application/aggregates.js';
import { DELIVERIES, type Delivery } from '../../libs/deliveries/delivery.js';
import type { OrderState } from '../../libs/domain/orders/order.decider.js';
import type { Decider } from '../../libs/eventsourcing/decider.js';
import { aggregateIdOf, categoryOf, type Message, type RecordedEvent } from '../../libs/eventsourcing/message.js';
import { checkpointOf, type StoredDocument } from '../../libs/eventsourcing/ports/documents.port.js';
import { projections } from '../../libs/projections/projections.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { DocumentServer } from './adapters/simulated-documents.js';
import type { KeyServer } from './adapters/simulated-keys.js';
import type { LedgerServer } from './adapters/simulated-ledger.js';
import type { Clients } from './clients.js';
import type { Received } from './stand-ins.js';
import { Violation } from './violation.js';

/** What the checks at the end of a run read: the servers, not the processes. */
export type FinalState = {
  readonly documents: DocumentServer;
  readonly ledger: LedgerServer;
  readonly keys: KeyServer;
  readonly clients: Clients;
  readonly received: readonly Received[];
  /** The events of the log, decoded. */
  readonly events: () => readonly RecordedEvent[];
};

const PROJECTORS = projections.map((projection) => createProjector(projection));
const EVERYTHING = { where: {}, sort: ['key'], limit: Number.MAX_SAFE_INTEGER, offset: 0 };

/** Checks what holds when a run has ended and nothing is left to do. Throws Violation. */
export const checkEnd = (state: FinalState): void => {
  checkAcknowledged(state);
  checkOrdersAndPets(state);
  checkApprovals(state);
  checkPayments(state);
  checkUsers(state);
  checkDeliveries(state);
  checkReceived(state.received);
  checkReadModels(state);
};

/** Checks that the read models equal those of a cold replay, each up to the position that it has reached. Throws Violation. */
export const checkReadModels = ({ documents, events }: Pick<FinalState, 'documents' | 'events'>): void => {
  const replayed = new DocumentServer({ now: () => new Date(0) });
  for (const projector of PROJECTORS) {
    const { collection } = projector;
    const reached = documents.checkpoint(checkpointOf(collection));
    const { writes } = projector.project(
      events().filter(({ position, meta }) => position <= reached && categoryOf(meta.stream) === projector.category),
      () => null,
      () => false,
    );
    replayed.prepare(collection);
    replayed.apply(writes);
    const [expected = [], actual = []] = [replayed, documents].map((server) => server.find(collection, EVERYTHING).map(textOf));
    const different = Array.from({ length: Math.max(expected.length, actual.length) }).findIndex((_, nth) => expected[nth] !== actual[nth]);
    if (different >= 0)
      throw new Violation(
        'read models equal a replay',
        `${collection.name} at ${reached}: ${actual[different] ?? 'nothing'} instead of ${expected[different] ?? 'nothing'}`,
      );
    if (collection.cells.length === 0) continue;
    const [wanted, counted] = [replayed, documents].map((server) => JSON.stringify(server.sum(collection, {})));
    if (wanted !== counted)
      throw new Violation('read models equal a replay', `${collection.name} at ${reached} counts ${counted} instead of ${wanted}`);
  }
};

const textOf = ({ key, json, revision, fields }: StoredDocument): string => `${key}@${revision} ${json} ${JSON.stringify(fields)}`;

/** Folds every stream of an aggregate. Returns the states by the ids of the streams. */
const statesOf = <S, C extends Message, E extends Message>(
  { events }: Pick<FinalState, 'events'>,
  { category, decider }: { readonly category: string; readonly decider: Decider<S, C, E, string> },
): ReadonlyMap<string, S> => {
  const states = new Map<string, S>();
  for (const { type, data, meta } of events()) {
    if (categoryOf(meta.stream) !== category) continue;
    const id = aggregateIdOf(meta.stream);
    states.set(id, decider.evolve(states.get(id) ?? decider.initial, { type, data } as unknown as E, meta));
  }
  return states;
};

const checkAcknowledged = ({ clients, events }: FinalState): void => {
  const lengths = new Map<string, number>();
  for (const { meta } of events()) lengths.set(meta.stream, meta.revision + 1);
  for (const { action, stream, revision } of clients.acknowledged)
    if ((lengths.get(stream) ?? 0) <= revision)
      throw new Violation(
        'nothing acknowledged is lost',
        `${action} was acknowledged at revision ${revision} of ${stream}, which has no such event`,
      );
};

/** Checks that every order and application has ended, that only paid orders hold pets, and that each of them has its pet. */
const checkOrdersAndPets = (state: FinalState): void => {
  const [orders, pets, adoptions] = [statesOf(state, ORDERS), statesOf(state, PETS), statesOf(state, ADOPTIONS)];
  for (const [id, order] of orders) {
    if (order.status === 'placed') throw new Violation('every order ends', `order ${id} is still placed after its hold time`);
    const [callback] = order.status === 'unplaced' || order.status === 'removed' ? [] : order.terms.callbacks.open;
    if (callback !== undefined)
      throw new Violation('every callback ends', `callback ${callback} of order ${id} is open, and no work is left`);
    if (order.status !== 'approved' && order.status !== 'shipped') continue;
    const holder = pets.get(order.terms.petId)?.reservation?.holder.id;
    if (holder !== id)
      throw new Violation('one pet for an order', `order ${id} is ${order.status}, but ${holder ?? 'nobody'} holds its pet`);
  }
  for (const [id, pet] of pets) {
    if (pet.kind !== 'listed') continue;
    const holder = pet.reservation?.holder.id;
    const status = holder === undefined ? undefined : orders.get(holder)?.status;
    if (holder !== undefined && status !== 'approved' && status !== 'shipped' && status !== 'delivered')
      throw new Violation('every hold is freed', `pet ${id} is held by the order ${holder}, which is ${status ?? 'not placed'}`);
    const [application] = pet.applications.open;
    if (application !== undefined)
      throw new Violation('every hold is freed', `pet ${id} is held by the application ${application} after its hold time`);
  }
  for (const [id, { status }] of adoptions)
    if (status === 'submitted') throw new Violation('every application ends', `application ${id} is open after its hold time`);
};

/** Checks that each approved order was paid in full before. The payment may have been refunded since. */
const checkApprovals = (state: FinalState): void => {
  const orders = statesOf(state, ORDERS);
  const payments = statesOf(state, PAYMENTS);
  const succeeded = new Set<string>();
  for (const { type, data, meta } of state.events()) {
    const id = aggregateIdOf(meta.stream);
    if (type === 'PaymentSucceeded') succeeded.add(id);
    if (type !== 'OrderApproved') continue;
    const { paymentId } = data as { readonly paymentId: string };
    const [order, payment] = [orders.get(id), payments.get(paymentId)];
    const fail = (why: string): never => {
      throw new Violation('an approved order was paid in full', `order ${id} was approved by the payment ${paymentId}, ${why}`);
    };
    if (!payment || payment.status === 'unrequested') return fail('which was never requested');
    if (payment.orderId !== id) return fail(`which is of the order ${payment.orderId}`);
    if (!succeeded.has(paymentId)) return fail(`which had not succeeded by then, and is now ${payment.status}`);
    if (!order || !('terms' in order)) return fail('but was never placed');
    const { unitPrice, currency, quantity } = order.terms;
    // Without a price, any amount is right (contract 15.3).
    if (unitPrice === undefined) continue;
    if (cents(payment.amount) !== cents(unitPrice) * quantity || payment.currency !== (currency ?? payment.currency))
      return fail(`of ${payment.amount} ${payment.currency}, but costs ${quantity} times ${unitPrice} ${currency ?? ''}`);
  }
};

/** Counts without the code of the service, which the check is about. */
const cents = (amount: string): number => Math.round(Number(amount) * 100);

/** Checks that every payment was charged once, and that one that has paid for nothing was refunded. */
const checkPayments = (state: FinalState): void => {
  const orders = statesOf(state, ORDERS);
  const charges = Map.groupBy(state.ledger.charges.values(), ({ reference }) => reference);
  for (const [id, payment] of statesOf(state, PAYMENTS)) {
    if (payment.status === 'unrequested') continue;
    if (payment.status === 'processing') throw new Violation('every payment ends', `payment ${id} is still processing`);
    const count = charges.get(payment.reference)?.length ?? 0;
    if (count !== 1) throw new Violation('one charge for a payment', `payment ${id} was charged ${count} times`);
    const hasPaid = paymentOf(orders.get(payment.orderId)) === id;
    if (hasPaid !== (payment.status === 'succeeded'))
      throw new Violation(
        'what has paid for nothing is refunded',
        `payment ${id} is ${payment.status}, and has ${hasPaid ? '' : 'not '}paid its order`,
      );
    if ((payment.status === 'refunded') !== state.ledger.refunds.has(id))
      throw new Violation('one refund for a payment', `payment ${id} is ${payment.status}, which the ledger of the gateway contradicts`);
  }
};

const paymentOf = (order: OrderState | undefined): string | null => (order && 'paidBy' in order ? order.paidBy : null);

/** Checks that erased accounts stay erased, that no two accounts have a name in common, and that each account holds its names. */
const checkUsers = (state: FinalState): void => {
  const users = statesOf(state, USERS);
  const claims = new Map([...statesOf(state, USERNAMES), ...statesOf(state, EMAILS)]);
  const keys = state.keys.personalKeys();
  const owners = new Map<string, string>();
  for (const [id, user] of users) {
    const hasKey = keys.some(({ name, isDestroyed }) => name.includes(id) && !isDestroyed);
    if (user.kind === 'erased' && hasKey) throw new Violation('erased stays erased', `user ${id} still has a key`);
    if (user.kind !== 'registered') continue;
    // The id of a claim is the digest of the name.
    for (const digest of [user.names.usernameDigest, user.names.emailDigest]) {
      const other = owners.get(digest);
      if (other !== undefined) throw new Violation('one name, one account', `${id} and ${other} have a name in common`);
      owners.set(digest, id);
      const holder = claims.get(digest)?.holder;
      if (holder !== id) throw new Violation('one name, one account', `${id} has a name that ${holder ?? 'nobody'} holds`);
    }
  }
  for (const id of state.clients.erased)
    if (users.get(id)?.kind !== 'erased') throw new Violation('erased stays erased', `user ${id} is not erased`);
};

/**
 * Checks that every delivery has ended, and that each approved order was announced once to each endpoint of its tenant that was there
 * before and still is.
 */
const checkDeliveries = ({ documents, events, received }: FinalState): void => {
  const deliveries = documents.find(DELIVERIES, EVERYTHING).map(({ json }) => JSON.parse(json) as Delivery);
  const removed = new Set(events().flatMap(({ type, meta }) => (type === 'WebhookRemoved' ? aggregateIdOf(meta.stream) : [])));
  // A parked delivery makes later ones of its sequence wait (contract 20.8). Nobody sees those of a removed endpoint.
  const blocked = new Set(deliveries.flatMap(({ status, sequence }) => (status === 'parked' ? (sequence ?? []) : [])));
  for (const { id, status, sequence, target } of deliveries) {
    if (target.kind === 'webhook' && removed.has(target.webhookId)) continue;
    const hasEnded = status === 'delivered' || status === 'parked' || (status === 'waiting' && blocked.has(sequence ?? ''));
    if (!hasEnded) throw new Violation('every delivery ends', `delivery ${id} is ${status}, and no work is left`);
  }
  const endpoints = events().filter(({ type, meta }) => type === 'WebhookRegistered' && !removed.has(aggregateIdOf(meta.stream)));
  for (const approved of events().filter(({ type }) => type === 'OrderApproved')) {
    const { stream, revision, tenant } = approved.meta;
    for (const endpoint of endpoints) {
      if (endpoint.meta.tenant !== tenant || endpoint.position > approved.position) continue;
      const webhookId = aggregateIdOf(endpoint.meta.stream);
      const own = deliveries.filter(
        ({ target, eventType, ...of }) =>
          target.kind === 'webhook' &&
          target.webhookId === webhookId &&
          eventType === 'order.statusChanged' &&
          of.stream === stream &&
          of.revision === revision,
      );
      if (own.length !== 1)
        throw new Violation('each event is announced once', `${stream} was announced ${own.length} times to ${webhookId}`);
      if (own[0]?.status === 'delivered' && !received.some(({ id, status }) => id === own[0]?.eventId && status < 300))
        throw new Violation('delivered is received', `delivery ${own[0].id} is delivered, but nobody received it`);
    }
  }
};

/**
 * Checks that each message has one id and one body, however often it was sent. Only what an erasure has removed is missing in some
 * (contract 20.1), and not always in the later ones: two endpoints may have one URL, and what was opened before the erasure may
 * arrive last.
 */
const checkReceived = (received: readonly Received[]): void => {
  const bodies = new Map<string, unknown>();
  for (const { url, id, body } of received) {
    const sent: unknown = JSON.parse(body);
    const before = bodies.get(`${url} ${id}`);
    if (before !== undefined && !equalsButErased(before, sent) && !equalsButErased(sent, before))
      throw new Violation('webhook ids are stable', `${url} got ${id} with two bodies: ${JSON.stringify(before)} and ${body}`);
    bodies.set(`${url} ${id}`, sent);
  }
};

type Values = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;

const equalsButErased = (before: unknown, after: unknown): boolean => {
  if (!isObject(before) || !isObject(after)) return after === null || after === before;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((name) => equalsButErased(before[name], after[name]));
};
