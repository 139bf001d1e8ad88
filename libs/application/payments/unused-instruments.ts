import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable, type EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import type { StoredInstrument, PaymentGateway } from '../../ports/payment-gateway.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { repeat } from '../../runtime/following/repeat.js';

/**
 * A day in milliseconds, which is longer than any request takes. If no event refers to an instrument after a day, its
 * payment was rejected, or the process crashed before it appended the event.
 */
const MIN_AGE = 86_400_000;
/** Milliseconds from the start to the first check, and between two checks. */
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
 * Every hour, deletes the cards and bank accounts at the gateway that are a day old and whose payment never started.
 * Returns a function that stops the checks and waits for the current one.
 */
export const startDeletingUnusedInstruments = (ports: UnusedInstruments): (() => Promise<void>) => {
  const { clock, gateway, onError } = ports;
  const work = async (): Promise<number> => {
    await gateway.deleteUnused(new Date(clock.now().getTime() - MIN_AGE), (instrument) => isNeeded(ports, instrument));
    return INTERVAL;
  };
  return repeat({ clock, firstDelay: FIRST_RUN, work, failureDelay: INTERVAL, onError });
};

/**
 * Returns whether an event of the order refers to the instrument. True if the order's events cannot be read. `purpose` is
 * the order's stream.
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
