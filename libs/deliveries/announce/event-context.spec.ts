import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '../../domain/events.js';
import type { PaymentId, PetId } from '../../domain/ids.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import { openDeliveries } from '../deliveries.fixtures.js';
import { createDocumentFolds, loadEventContext } from './event-context.js';

const petId = 'p1' as PetId;
const paymentId = 'y1' as PaymentId;
const placed: DomainEvent = { type: 'OrderPlaced', data: { petId, quantity: 1 } };
const cancelled: DomainEvent = { type: 'OrderCancelled', data: { reason: 'requested', petId } };
/** Has only the ids of the order and of the payment, because the test needs no other fields. */
const failed = { type: 'PaymentFailed', data: { orderId: 'o1', paymentId } } as unknown as DomainEvent;

describe('a resource related to an event', () => {
  const { log, store, codec } = openDeliveries(manualClock());
  const relatedOrder = async (...events: readonly DomainEvent[]): Promise<unknown> => {
    const orders = recorded<DomainEvent>(
      events.filter((event) => event !== failed),
      'order-o1',
    );
    const position = events.indexOf(failed) + 1;
    const placedInLog = orders.map((event) => ({ ...event, position: events.findIndex(({ type }) => type === event.type) + 1 }));
    log.splice(0, Infinity, ...placedInLog);
    const [event] = recorded([failed], 'payment-y1');
    if (!event) throw new Error('no event was recorded');
    const history = { folds: createDocumentFolds({ store, codec }), publicUrl: () => 'https://pets.example.com' };
    const { related } = await loadEventContext(history, { ...event, position }, ['order']);
    return related.order?.['status'] ?? null;
  };

  it('is loaded as of the event, without later changes', async () => {
    expect(await relatedOrder(placed, failed)).toBe('placed');
    expect(await relatedOrder(placed, failed, cancelled)).toBe('placed');
    expect(await relatedOrder(placed, cancelled, failed)).toBe('cancelled');
  });

  it('is null when it did not exist yet', async () => expect(await relatedOrder(failed, placed)).toBeNull());
});
