import type { LedgerCharge } from '../../libs/adapters/gateway/ledger.js';
import type { DomainEvent } from '../../libs/domain/events.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { aggregateIdOf, type RecordedEvent } from '../../libs/eventsourcing/message.js';
import { decoded } from './replay.js';

type Recorded = { [T in DomainEvent['type']]: RecordedEvent<Extract<DomainEvent, { type: T }>> }[DomainEvent['type']];
type Streams = ReadonlyMap<string, readonly Recorded[]>;

const streamsOf = (events: readonly StoredEvent[]): Streams =>
  Map.groupBy(decoded(events) as unknown as readonly Recorded[], ({ meta }) => meta.stream);

/** What the log says still has to follow by itself; `[]` once everything has come to its end. */
export const unfinished = (events: readonly StoredEvent[]): readonly string[] => {
  const streams = streamsOf(events);
  const has = (stream: string, type: DomainEvent['type'], matches: (event: Recorded) => boolean = () => true): boolean =>
    streams.get(stream)?.some((event) => event.type === type && matches(event)) ?? false;
  const letGo = (petId: string, orderId: string): boolean =>
    has(`pet-${petId}`, 'PetReleased', (event) => event.type === 'PetReleased' && event.data.holder.id === orderId);
  const adopted = (petId: string, orderId: string): boolean =>
    has(`pet-${petId}`, 'PetAdopted', (event) => event.type === 'PetAdopted' && event.data.holder.id === orderId);

  const settles = (event: Recorded): boolean => {
    const id = aggregateIdOf(event.meta.stream);
    switch (event.type) {
      case 'PetReserved':
        // "no reservation without its order"
        return has(`order-${event.data.holder.id}`, 'OrderPlaced') || letGo(id, event.data.holder.id);
      case 'OrderPaymentStarted':
        return has(`payment-${event.data.paymentId}`, 'PaymentRequested');
      case 'PaymentRequested':
        return has(event.meta.stream, 'PaymentSucceeded') || has(event.meta.stream, 'PaymentFailed');
      case 'PaymentSucceeded':
        // "a payment that succeeds on a cancelled or removed order is refunded"
        return has(`order-${event.data.orderId}`, 'OrderApproved') || has(event.meta.stream, 'PaymentRefunded');
      case 'PaymentFailed':
        return has(`order-${event.data.orderId}`, 'OrderPaymentFailed') || has(`order-${event.data.orderId}`, 'OrderCancelled');
      case 'OrderApproved':
        // "An approved order makes its pet ADOPTED."
        return adopted(event.data.petId, id) || letGo(event.data.petId, id);
      case 'OrderCancelled': {
        // "the pet is released and a succeeded payment refunded"
        const payment = `payment-${event.data.paymentId}`;
        return letGo(event.data.petId, id) && (!has(payment, 'PaymentSucceeded') || has(payment, 'PaymentRefunded'));
      }
      default:
        return true;
    }
  };
  return [...streams.values()].flat().flatMap((event) => (settles(event) ? [] : [`${event.type} of ${event.meta.stream}`]));
};

/** What the gateway's ledger and the log say differently of the same money, once nothing is unfinished. `[]` when they agree. */
export const ledgerFaults = (events: readonly StoredEvent[], ledger: readonly LedgerCharge[]): readonly string[] => {
  const streams = streamsOf(events);
  const charges = Map.groupBy(ledger, ({ idempotencyKey }) => idempotencyKey);
  const faults: string[] = [];
  for (const [stream, history] of streams) {
    const [requested] = history;
    if (requested?.type !== 'PaymentRequested') continue;
    const made = charges.get(aggregateIdOf(stream)) ?? [];
    const [charge] = made;
    // "every payment request settled and charged at most once by the gateway's ledger"
    if (made.length !== 1 || !charge) faults.push(`${stream} was charged ${made.length} times`);
    else faults.push(...chargeFaults(stream, history, charge));
  }
  for (const id of charges.keys()) if (!streams.has(`payment-${id}`)) faults.push(`the charge ${id} belongs to no payment`);
  return [...faults, ...doublyPaid(streams)];
};

const chargeFaults = (stream: string, history: readonly Recorded[], charge: LedgerCharge): readonly string[] => {
  const [requested] = history;
  const count = (type: DomainEvent['type']): number => history.filter((event) => event.type === type).length;
  const terms = requested?.type === 'PaymentRequested' ? requested.data : null;
  const expected = [charge.outcome === 'succeeded' ? 1 : 0, charge.outcome === 'succeeded' ? 0 : 1, charge.refundedAt === null ? 0 : 1];
  const is = [count('PaymentSucceeded'), count('PaymentFailed'), count('PaymentRefunded')];
  const same = terms?.amount === charge.amount && terms.currency === charge.currency && terms.reference === charge.reference;
  return [
    ...(same ? [] : [`${stream} was charged on other terms than were asked for`]),
    ...(String(is) === String(expected)
      ? []
      : [`${stream} says ${String(is)}, the ledger ${String(expected)} (succeeded, failed, refunded)`]),
  ];
};

/** An order is paid once, or its money went back. */
const doublyPaid = (streams: Streams): readonly string[] => {
  const kept = [...streams.values()].flatMap((history) => {
    const types = history.map(({ type }) => type);
    const [first] = history;
    return first?.type === 'PaymentRequested' && types.includes('PaymentSucceeded') && !types.includes('PaymentRefunded')
      ? [first.data.orderId]
      : [];
  });
  return kept.filter((id, index) => kept.indexOf(id) !== index).map((id) => `order ${id} was paid twice`);
};
