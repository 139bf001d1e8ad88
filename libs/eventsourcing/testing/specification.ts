import { expect } from '@jest/globals';
import { rejected, type Decider } from '../decider.js';
import type { Message } from '../message.js';
import { recorded, type GivenEvent } from './recorded.js';

/** Checks the outcome of a command. The whole outcome is compared. */
export type Outcome<Event extends Message, Reason extends string> = {
  /** Expects exactly these events, in this order. */
  then(...events: readonly Event[]): void;
  /** Expects that the command is accepted without events. */
  thenNothing(): void;
  /** Expects a rejection for this reason, with exactly these fields at fault. */
  thenRejected(reason: Reason, fields?: readonly string[]): void;
};

export type Specification<State, Command extends Message, Event extends Message, Reason extends string> = {
  /** The past events, the earliest first. */
  given(...events: readonly GivenEvent<Event>[]): {
    when(command: Command): Outcome<Event, Reason>;
    /** The state after the past events. */
    readonly state: State;
  };
};

/** Specifies an aggregate's rules: given past events, when a command is handled, then these events follow. */
export const specification = <State, Command extends Message, Event extends Message, Reason extends string>({
  initial,
  decide,
  evolve,
}: Decider<State, Command, Event, Reason>): Specification<State, Command, Event, Reason> => ({
  given: (...events) => {
    const state = recorded(events).reduce((current, event) => evolve(current, event, event.meta), initial);
    return {
      state,
      when: (command) => {
        const decision = decide(command, state);
        return {
          then: (...expected) => expect(decision).toStrictEqual(expected),
          thenNothing: () => expect(decision).toStrictEqual([]),
          thenRejected: (reason, fields) => expect(decision).toStrictEqual(rejected(reason, fields)),
        };
      },
    };
  },
});
