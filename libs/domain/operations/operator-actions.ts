import type { Decider } from '../../eventsourcing/decider.js';
import type { Message } from '../../eventsourcing/message.js';

/** The maximum number of characters of a reason. It is stored without expiry, so it must not name persons (contract 43.1). */
export const MAX_REASON = 500;

/** What an operator wants tried again: the streams, keys and deliveries with these properties, or without any all of them. */
export type RetryChoice = {
  /** A read model, the relay or a consumer, or `deliveries`. */
  readonly name?: string;
  readonly stream?: string;
  /** The cause by which the list of what is parked groups its items. */
  readonly cause?: string;
};

/** An event that one read model or consumer leaves out, or left out before. */
type Skip = { readonly name: string; readonly stream: string; readonly revision: number };

/**
 * What operators did, and why, in one stream for each day (UTC), such as `operations-2026-01-02`. Who did it is the actor in the
 * metadata. The events are kept without expiry (contract 43.1).
 */
export type OperatorEvent =
  /** An operator had parked streams, keys and deliveries tried again. */
  | Message<'ParkedRetried', RetryChoice & { readonly reason?: string }>
  /** An operator had one delivery sent again, whatever its status. */
  | Message<
      'RedeliveryRequested',
      { readonly deliveryId: string; readonly stream: string; readonly revision: number; readonly reason?: string }
    >
  /** From then on, a read model or consumer leaves an event out that it has parked. */
  | Message<'EventSkipped', Skip & { readonly reason: string }>
  /** The read model contains the event again. */
  | Message<'EventUnskipped', Skip & { readonly reason?: string }>
  /** From then on, no event changes the read model of a projection. */
  | Message<'ProjectionPaused', { readonly projection: string; readonly reason?: string }>
  /** The read model catches up, and follows the log again. */
  | Message<'ProjectionResumed', { readonly projection: string; readonly reason?: string }>
  /** A second fill of the read model begins, which replaces it when it is complete and equal. `hold`: only when an operator says so. */
  | Message<
      'ProjectionRebuildStarted',
      { readonly projection: string; readonly version: number; readonly hold: boolean; readonly reason?: string }
    >
  /** Queries read the fill from then on, or with `back` the read model that it had replaced. What they read before is kept. */
  | Message<
      'ProjectionSwitched',
      { readonly projection: string; readonly version: number; readonly back: boolean; readonly reason?: string }
    >
  /** The fill, or the read model that was kept, receives no more events, and is removed. */
  | Message<'ProjectionFillDropped', { readonly projection: string; readonly dropped: 'fill' | 'kept'; readonly reason?: string }>;

/** The tenant is always null, because the actions concern the whole store. */
export type OperationsState = { readonly tenant: null };

/** Records what operators did. There are no rules, so the command is the event to record. */
export const operationsDecider: Decider<OperationsState, OperatorEvent, OperatorEvent, never> = {
  initial: { tenant: null },
  decide: (command) => [command],
  evolve: (state) => state,
};
