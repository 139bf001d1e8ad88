import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable, type EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../eventsourcing/handle.js';
import type { StoredInstrument, PaymentGateway } from '../../ports/payment-gateway.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { repeat } from '../../runtime/following/repeat.js';

/** Longer than any request lasts: what no event refers to by then was refused, or its process died before the append. */
const UNUSED_AFTER = 86_400_000;
const FIRST = 60_000;
const EVERY = 3_600_000;

export type UnusedInstruments = {
  readonly clock: Clock;
  readonly gateway: Pick<PaymentGateway, 'deleteUnused'>;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: Pick<EventCodec, 'decode'>;
  readonly onError: (error: unknown) => void;
};

/**
 * Deletes what the gateway keeps of payments that never began, a day after, and every hour until stopped. A payment that
 * began keeps its instrument however long its charge has to wait. Returns a function that stops it and waits for the
 * look under way.
 */
export const startDeletingUnusedInstruments = (ports: UnusedInstruments): (() => Promise<void>) => {
  const { clock, gateway, onError } = ports;
  const work = async (): Promise<number> => {
    await gateway.deleteUnused(new Date(clock.now().getTime() - UNUSED_AFTER), (instrument) => isNeeded(ports, instrument));
    return EVERY;
  };
  return repeat({ clock, first: FIRST, work, afterFailure: EVERY, onError });
};

/** Whether an event of the order refers to it. One whose events cannot be read is needed: nobody knows better. */
const isNeeded = async ({ store, codec, onError }: UnusedInstruments, { reference, purpose }: StoredInstrument): Promise<boolean> => {
  try {
    const stored = await store.readStream(purpose);
    return stored
      .map((event) => eventOf<OrderEvent>(codec.decode(event)))
      .some(({ type, data }) => type === 'OrderPaymentStarted' && data.reference === reference);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    onError(new Error(`the events of ${purpose} cannot be read; the gateway keeps what it has of its payments`, { cause: error }));
    return true;
  }
};
