import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable, type EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../eventsourcing/handle.js';
import type { StoredInstrument, PaymentGateway } from '../../ports/payment-gateway.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { repeat } from '../../runtime/following/repeat.js';

/**
 * Longer than any request. An instrument that no event refers to by then was rejected, or its process died
 * before the append.
 */
const UNUSED_AFTER = 86_400_000;
const FIRST_RUN = 60_000;
const INTERVAL = 3_600_000;

export type UnusedInstruments = {
  readonly clock: Clock;
  readonly gateway: Pick<PaymentGateway, 'deleteUnused'>;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: Pick<EventCodec, 'decode'>;
  readonly onError: (error: unknown) => void;
};

/**
 * Deletes instruments of payments that never started, after a day, once an hour until stopped. A started
 * payment keeps its instrument however long its charge waits. Returns a function that stops it and waits for
 * the current run.
 */
export const startDeletingUnusedInstruments = (ports: UnusedInstruments): (() => Promise<void>) => {
  const { clock, gateway, onError } = ports;
  const work = async (): Promise<number> => {
    await gateway.deleteUnused(new Date(clock.now().getTime() - UNUSED_AFTER), (instrument) => isNeeded(ports, instrument));
    return INTERVAL;
  };
  return repeat({ clock, firstDelay: FIRST_RUN, work, failureDelay: INTERVAL, onError });
};

/**
 * Returns whether an event of the order refers to the instrument. True if the order's events cannot be read.
 */
const isNeeded = async ({ store, codec, onError }: UnusedInstruments, { reference, purpose }: StoredInstrument): Promise<boolean> => {
  try {
    const stored = await store.readStream(purpose);
    return stored
      .map((event) => eventOf<OrderEvent>(codec.decode(event)))
      .some(({ type, data }) => type === 'OrderPaymentStarted' && data.reference === reference);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    onError(new Error(`the events of ${purpose} cannot be read; its payment instruments stay at the gateway`, { cause: error }));
    return true;
  }
};
