import type { EventMeta, Message } from './message.js';

/** A command's refusal: a reason in lower_snake_case and what the caller needs to mend it. No state changed. */
export type Rejection<Reason extends string = string> = { readonly rejected: Reason; readonly fields?: readonly string[] };

/** Refuses a command. `fields` names the command's fields at fault, where there are any. */
export const rejected = <Reason extends string>(reason: Reason, fields?: readonly string[]): Rejection<Reason> =>
  fields ? { rejected: reason, fields } : { rejected: reason };

/** Tells a refusal from events. */
export const isRejection = (outcome: object): outcome is Rejection => 'rejected' in outcome;

/**
 * The rules of one aggregate. `decide` answers events, nothing new (`[]`), or a rejection; it never throws and reads
 * nothing but its arguments. `evolve` cannot fail and holds no rules: what happened has happened.
 */
export type Decider<State, Command extends Message, Event extends Message, Reason extends string> = {
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[] | Rejection<Reason>;
  readonly evolve: (state: State, event: Event, meta: EventMeta) => State;
};
