import { paymentStream, type OrderId, type PaymentId } from '../../domain/ids.js';
import type { OrderState } from '../../domain/orders/order.decider.js';
import type { PaymentEvent } from '../../domain/payments/payment.events.js';
import { isRejection } from '../../eventsourcing/decider.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import type { LoadedStream } from '../../eventsourcing/streams/aggregate.js';
import { ORDERS } from '../aggregates.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readHistory } from '../../runtime/codec/verified-history.js';
import { commandContextOf } from '../../eventsourcing/message.js';

type Ports = {
  readonly aggregates: Aggregates;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: EventCodec;
};

/**
 * Records on an order that its payment has failed, so that another payment can start (contract 15.4). The domain process
 * payment-approves-order does the same later. A client that already knows of the failure does not need to wait for that
 * process. Returns the updated order, or the same order if its payment has not failed.
 */
export const releaseFailedPayment = async (
  ports: Ports,
  orderId: OrderId,
  order: LoadedStream<OrderState>,
): Promise<LoadedStream<OrderState>> => {
  const paymentId = order.state.status === 'placed' ? order.state.openPayment : null;
  const failed = paymentId && (await readFailure(ports, paymentId));
  if (!paymentId || failed?.type !== 'PaymentFailed') return order;
  const command = { type: 'FailOrderPayment', data: { orderId, paymentId, reason: failed.data.reason } } as const;
  const outcome = await ports.aggregates.handle(ORDERS, orderId, command, commandContextOf(failed), { loaded: order });
  return isRejection(outcome) ? order : outcome;
};

const readFailure = async (ports: Ports, paymentId: PaymentId) => {
  const events = await readHistory(ports, paymentStream(paymentId));
  return events.map((event) => eventOf<PaymentEvent>(event)).find(({ type }) => type === 'PaymentFailed');
};
