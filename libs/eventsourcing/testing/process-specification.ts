import { expect } from '@jest/globals';
import type { Message, RecordedEvent } from '../message.js';
import type { FollowUp, Process } from '../process.js';
import { recorded, type Told } from './recorded.js';

export type ProcessSpecification<Event extends Message, Command extends Message> = {
  /** What has happened, on the streams that the events' metadata names. */
  given(...events: readonly Told<Event>[]): {
    /** Exactly these commands follow, in this order, each with what follows when it is rejected. */
    expect(...commands: readonly FollowUp<Command>[]): void;
  };
};

/** States what follows from what: given events, expect commands. */
export const processSpecification = <Event extends Message, Command extends Message>(
  process: Process<Event, Command>,
): ProcessSpecification<Event, Command> => ({
  given: (...events) => ({
    expect: (...commands) => expect(recorded(events).flatMap((event) => followUps(process, event))).toStrictEqual(commands),
  }),
});

/** The commands that a process asks for after an event; none when it does not listen to it. */
export const followUps = <Event extends Message, Command extends Message>(
  { on }: Process<Event, Command>,
  event: RecordedEvent<Event>,
): readonly FollowUp<Command>[] => {
  const handlers = on as unknown as Readonly<Record<string, (event: RecordedEvent<Event>) => readonly FollowUp<Command>[]>>;
  return handlers[event.type]?.(event) ?? [];
};
