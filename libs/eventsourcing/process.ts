import type { Rejection } from './decider.js';
import type { CommandContext, Message, RecordedEvent } from './message.js';

/** A command that follows from an event. If the command is rejected, the command in `otherwise` is executed, if present. */
export type FollowUp<Command extends Message = Message> = Command & { readonly otherwise?: FollowUp<Command> };

/** Runs a command of a process. Returns the rejection, or null if the command was accepted. */
export type Execute<Command extends Message = Message> = (command: Command, context: CommandContext) => Promise<null | Rejection>;

/**
 * A process, called a saga in @nestjs/cqrs: a pure function from events to the commands that follow. Messages
 * are delivered at least once, so every command must be safe to repeat.
 */
export type Process<Event extends Message = Message, Command extends Message = Message> = {
  /** A sentence in kebab case, for example `payment-approves-order`. */
  readonly name: string;
  readonly on: { readonly [T in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: T }>>) => readonly FollowUp<Command>[] };
};
