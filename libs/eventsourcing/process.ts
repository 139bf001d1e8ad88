import type { Rejection } from './decider.js';
import type { CommandContext, Message, RecordedEvent } from './message.js';

/** A command that follows from an event. If it is rejected, `otherwise` follows, if present. */
export type FollowUp<Command extends Message = Message> = Command & { readonly otherwise?: FollowUp<Command> };

/** Runs a command of a process. Returns null if it was accepted, or the rejection. */
export type Execute<Command extends Message = Message> = (command: Command, context: CommandContext) => Promise<null | Rejection>;

/**
 * The reaction to events: a pure function from events to commands. Messages are delivered at least once, so
 * every command must be safe to repeat.
 */
export type Process<Event extends Message = Message, Command extends Message = Message> = {
  /** A sentence in kebab case, for example `payment-approves-order`. */
  readonly name: string;
  readonly on: { readonly [T in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: T }>>) => readonly FollowUp<Command>[] };
};
