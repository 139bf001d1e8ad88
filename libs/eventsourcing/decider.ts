import type { EventMeta, Message } from './message.js';

/**
 * The rejection of a command: a reason in lower_snake_case and the fields at fault. `expected` is what would have been
 * accepted, for people, if the response is to name it. The state has not changed.
 */
export type Rejection<Reason extends string = string> = {
  readonly rejected: Reason;
  readonly fields?: readonly string[];
  readonly expected?: string;
};

/** Returns the rejection of a command. `fields` names the command's fields at fault, if any. */
export const rejected = <Reason extends string>(reason: Reason, fields?: readonly string[]): Rejection<Reason> =>
  fields ? { rejected: reason, fields } : { rejected: reason };

/** Returns whether an outcome is a rejection. */
export const isRejection = (outcome: object): outcome is Rejection => 'rejected' in outcome;

/** Returns the outcome if it is a rejection, else null. */
export const rejectionIn = <Outcome extends object>(outcome: Outcome): Extract<Outcome, Rejection> | null =>
  isRejection(outcome) ? (outcome as Extract<Outcome, Rejection>) : null;

/**
 * The rules of one aggregate. `decide` returns events, `[]` if there is nothing to do, or a rejection. It
 * never throws and reads only its arguments. `evolve` never fails and contains no rules.
 */
export type Decider<State, Command extends Message, Event extends Message, Reason extends string> = {
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[] | Rejection<Reason>;
  readonly evolve: (state: State, event: Event, meta: EventMeta) => State;
};
