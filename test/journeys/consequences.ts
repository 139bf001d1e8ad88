import type { LedgerCharge } from '../../libs/ports/payment-ledger.port.js';
import type { DomainEvent } from '../../libs/domain/events.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { aggregateIdOf, type RecordedEvent } from '../../libs/eventsourcing/message.js';
import { decodeEvents } from './replay.js';

type AnyRecordedEvent = { [T in DomainEvent['type']]: RecordedEvent<Extract<DomainEvent, { type: T }>> }[DomainEvent['type']];
type Streams = ReadonlyMap<string, readonly AnyRecordedEvent[]>;

const streamsOf = (events: readonly StoredEvent[]): Streams =>
  Map.groupBy(decodeEvents(events) as unknown as readonly AnyRecordedEvent[], ({ meta }) => meta.stream);

/** Returns a line for each event whose required consequence is missing from the log. */
export const missingConsequences = (events: readonly StoredEvent[]): readonly string[] => {
  const streams = streamsOf(events);
  const has = (stream: string, type: DomainEvent['type'], matches: (event: AnyRecordedEvent) => boolean = () => true): boolean =>
    streams.get(stream)?.some((event) => event.type === type && matches(event)) ?? false;
  const isReleased = (petId: string, orderId: string): boolean =>
    has(`pet-${petId}`, 'PetReleased', (event) => event.type === 'PetReleased' && event.data.holder.id === orderId);
  const isAdopted = (petId: string, orderId: string): boolean =>
    has(`pet-${petId}`, 'PetAdopted', (event) => event.type === 'PetAdopted' && event.data.holder.id === orderId);

  const hasItsConsequence = (event: AnyRecordedEvent): boolean => {
    const id = aggregateIdOf(event.meta.stream);
    switch (event.type) {
      case 'PetReserved':
        // The pet is reserved for the order in `holder`. Either this order is placed, or the pet is released (contract 24.2).
        return has(`order-${event.data.holder.id}`, 'OrderPlaced') || isReleased(id, event.data.holder.id);
      case 'OrderPaymentStarted':
        return has(`payment-${event.data.paymentId}`, 'PaymentRequested');
      case 'PaymentRequested':
        return has(event.meta.stream, 'PaymentSucceeded') || has(event.meta.stream, 'PaymentFailed');
      case 'PaymentSucceeded':
        // A payment of a cancelled or removed order is refunded (contract 15.10).
        return has(`order-${event.data.orderId}`, 'OrderApproved') || has(event.meta.stream, 'PaymentRefunded');
      case 'PaymentFailed':
        return has(`order-${event.data.orderId}`, 'OrderPaymentFailed') || has(`order-${event.data.orderId}`, 'OrderCancelled');
      case 'PaymentRefunded':
        return has(`order-${event.data.orderId}`, 'OrderPaymentRefunded');
      case 'OrderApproved':
        // An approved order makes its pet ADOPTED (contract 13.6).
        return isAdopted(event.data.petId, id) || isReleased(event.data.petId, id);
      case 'OrderCancelled': {
        // Cancelling releases the pet and refunds a succeeded payment (contract 13.10).
        const payment = `payment-${event.data.paymentId}`;
        return isReleased(event.data.petId, id) && (!has(payment, 'PaymentSucceeded') || has(payment, 'PaymentRefunded'));
      }
      default:
        return true;
    }
  };
  return [...streams.values()].flat().flatMap((event) => (hasItsConsequence(event) ? [] : [`${event.type} of ${event.meta.stream}`]));
};

/** Returns a line for each difference between the gateway's ledger and the log. */
export const ledgerDifferences = (events: readonly StoredEvent[], ledger: readonly LedgerCharge[]): readonly string[] => {
  const streams = streamsOf(events);
  const charges = Map.groupBy(ledger, ({ idempotencyKey }) => idempotencyKey);
  const differences: string[] = [];
  for (const [stream, history] of streams) {
    const [requested] = history;
    if (requested?.type !== 'PaymentRequested') continue;
    const chargesOfPayment = charges.get(aggregateIdOf(stream)) ?? [];
    const [charge] = chargesOfPayment;
    // A payment is charged at most once (contract 24.2). All payments have ended before this check, so each has one charge.
    if (chargesOfPayment.length !== 1 || !charge) differences.push(`${stream} was charged ${chargesOfPayment.length} times`);
    else differences.push(...chargeDifferences(stream, history, charge));
  }
  for (const id of charges.keys()) if (!streams.has(`payment-${id}`)) differences.push(`the charge ${id} belongs to no payment`);
  return [...differences, ...ordersPaidTwice(streams)];
};

const chargeDifferences = (stream: string, history: readonly AnyRecordedEvent[], charge: LedgerCharge): readonly string[] => {
  const [requested] = history;
  const count = (type: DomainEvent['type']): number => history.filter((event) => event.type === type).length;
  const terms = requested?.type === 'PaymentRequested' ? requested.data : null;
  const expected = [charge.outcome === 'succeeded' ? 1 : 0, charge.outcome === 'succeeded' ? 0 : 1, charge.refundedAt === null ? 0 : 1];
  const actual = [count('PaymentSucceeded'), count('PaymentFailed'), count('PaymentRefunded')];
  const isEqual = terms?.amount === charge.amount && terms.currency === charge.currency && terms.reference === charge.reference;
  return [
    ...(isEqual ? [] : [`${stream} was charged with other terms than requested`]),
    ...(String(actual) === String(expected)
      ? []
      : [`${stream} has ${String(actual)}, the ledger ${String(expected)} (succeeded, failed, refunded)`]),
  ];
};

/** Reports each order with more than one payment that was not refunded. */
const ordersPaidTwice = (streams: Streams): readonly string[] => {
  const paidOrders = [...streams.values()].flatMap((history) => {
    const types = history.map(({ type }) => type);
    const [first] = history;
    return first?.type === 'PaymentRequested' && types.includes('PaymentSucceeded') && !types.includes('PaymentRefunded')
      ? [first.data.orderId]
      : [];
  });
  return paidOrders.filter((id, index) => paidOrders.indexOf(id) !== index).map((id) => `order ${id} was paid twice`);
};
