import type { Message, RecordedEvent } from './message.js';

/** A command that follows from an event; `otherwise` follows instead when it is rejected. A rejection without one is the end of it. */
export type FollowUp<Command extends Message = Message> = Command & { readonly otherwise?: FollowUp<Command> };

/**
 * What follows from what: events in, commands out; pure. Every command it names may be asked twice without harm, because
 * messages come at least once.
 */
export type Process<Event extends Message = Message, Command extends Message = Message> = {
  /** Reads as a sentence: `payment-approves-order`. */
  readonly name: string;
  readonly on: { readonly [T in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: T }>>) => readonly FollowUp<Command>[] };
};
