import type { Rejection } from './decider.js';
import type { CommandContext, Message, RecordedEvent } from './message.js';

/** A command that follows from an event; `otherwise` follows instead when it is rejected. A rejection without one is the end of it. */
export type FollowUp<Command extends Message = Message> = Command & { readonly otherwise?: FollowUp<Command> };

/** Carries out a command that no request asked for; answers null, or why it was refused. */
export type Execute<Command extends Message = Message> = (command: Command, context: CommandContext) => Promise<null | Rejection>;

/**
 * What follows from what: events in, commands out; pure. Every command it names may be asked twice without harm, because
 * messages come at least once.
 */
export type Process<Event extends Message = Message, Command extends Message = Message> = {
  /** Reads as a sentence: `payment-approves-order`. */
  readonly name: string;
  readonly on: { readonly [T in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: T }>>) => readonly FollowUp<Command>[] };
};
