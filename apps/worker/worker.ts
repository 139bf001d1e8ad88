import type { CommandBus } from '@nestjs/cqrs';
import { startOrderExpiry } from '../../libs/application/order-expiry.js';
import { createReactor } from '../../libs/application/reactor.js';
import type { Clock } from '../../libs/eventsourcing/clock.port.js';
import type { Documents } from '../../libs/eventsourcing/documents.port.js';
import type { EventStore } from '../../libs/eventsourcing/event-store.port.js';
import type { EventCodec } from '../../libs/eventsourcing/handle.js';
import type { Messages, Subscription } from '../../libs/eventsourcing/messages.port.js';
import { processes } from '../../libs/processes/processes.js';

/** What the background roles work on. */
export type WorkerPorts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly messages: Messages;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly bus: CommandBus;
  /** How long an unpaid order keeps its pet. */
  readonly orderHoldMilliseconds: number;
  readonly onError: (error: unknown) => void;
};

export type Worker = {
  /** The processes' subscription, for whoever asks how far it is. */
  readonly reactions: Subscription;
  /** Takes up nothing new and waits for what is in hand. */
  stop(): Promise<void>;
};

/** Starts the background roles: consumers (processes) and timers (order expiry). Nothing here decides anything. */
export const startWorker = async (ports: WorkerPorts): Promise<Worker> => {
  const { store, documents, messages, codec, clock, bus, orderHoldMilliseconds: holdMilliseconds, onError } = ports;
  const reactions = await messages.subscribe(createReactor(processes, { store, codec, bus }));
  const stopExpiry = startOrderExpiry({ clock, documents, bus, holdMilliseconds, onError });
  return {
    reactions,
    async stop() {
      await stopExpiry();
      await reactions.stop();
    },
  };
};
