import { expect } from '@jest/globals';
import type { Message, RecordedEvent } from '../message.js';
import type { FollowUp, Process } from '../process.js';
import { recorded, type GivenEvent } from './recorded.js';

export type ProcessSpecification<Event extends Message, Command extends Message> = {
  /** The past events, on the streams that their metadata names. */
  given(...events: readonly GivenEvent<Event>[]): {
    /** Expects exactly these commands, in this order, each with its `otherwise` if it has one. */
    expect(...commands: readonly FollowUp<Command>[]): void;
  };
};

/** Specifies a process: given events, expect commands. */
export const processSpecification = <Event extends Message, Command extends Message>(
  process: Process<Event, Command>,
): ProcessSpecification<Event, Command> => ({
  given: (...events) => ({
    expect: (...commands) => expect(recorded(events).flatMap((event) => followUps(process, event))).toStrictEqual(commands),
  }),
});

/** Returns the commands of a process after an event, none if it does not handle the event. */
export const followUps = <Event extends Message, Command extends Message>(
  { on }: Process<Event, Command>,
  event: RecordedEvent<Event>,
): readonly FollowUp<Command>[] => {
  const handlers = on as unknown as Readonly<Record<string, (event: RecordedEvent<Event>) => readonly FollowUp<Command>[]>>;
  return handlers[event.type]?.(event) ?? [];
};
