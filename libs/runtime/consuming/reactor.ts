import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { commandContextOf, type CommandContext, type Message, type RecordedEvent } from '../../eventsourcing/message.js';
import type { Consumer } from '../../eventsourcing/ports/messages.port.js';
import type { Execute, FollowUp, Process } from '../../eventsourcing/process.js';
import { eventAt } from '../codec/verified-history.js';

/** The reactor's stored position goes by this name. */
const REACTOR = 'processes';

type ReactorPorts<C extends Message> = {
  readonly store: EventStore;
  readonly codec: ReadCodec;
  readonly execute: Execute<C>;
};

/** An event type to what each process makes of it. */
type React<C extends Message> = (event: RecordedEvent) => readonly FollowUp<C>[];
type Reactions<C extends Message> = ReadonlyMap<string, readonly React<C>[]>;

/**
 * Lets processes follow the log: a message is a pointer, the recorded event is read from the log and handed to every
 * process that listens to its type, and the commands that follow are carried out. Rejects when one could not be, so that
 * the message comes again.
 */
export const createReactor = <E extends Message, C extends Message>(
  processes: readonly Process<E, C>[],
  { store, codec, execute }: ReactorPorts<C>,
): Consumer => {
  const reactions = reactionsOf(processes);
  return {
    name: REACTOR,
    types: new Set(reactions.keys()),
    async handle({ stream, revision, type }) {
      const event = await eventAt({ store, codec }, stream, revision);
      if (!event) throw new Error(`no event ${revision} in ${stream}`);
      // "A message is a pointer": what it says of the event's type must not choose what follows from the event.
      if (event.type !== type) throw new Error(`event ${revision} of ${stream} is a ${event.type}, and no ${type} as the message says`);
      for (const react of reactions.get(type) ?? []) {
        for (const followUp of react(event)) await carryOut(execute, followUp, commandContextOf(event));
      }
    },
  };
};

const reactionsOf = <E extends Message, C extends Message>(processes: readonly Process<E, C>[]): Reactions<C> => {
  const reactions = new Map<string, React<C>[]>();
  for (const { on } of processes) {
    for (const [type, react] of Object.entries<unknown>(on)) {
      if (react) reactions.set(type, [...(reactions.get(type) ?? []), react as React<C>]);
    }
  }
  return reactions;
};

/** A refusal is an answer: what is named for it follows, or nothing does. Only contention asks for another try. */
const carryOut = async <C extends Message>(execute: Execute<C>, followUp: FollowUp<C>, context: CommandContext): Promise<void> => {
  const { otherwise, ...command } = followUp;
  const outcome = await execute(command as unknown as C, context);
  if (outcome?.rejected === 'contended') throw new Error(`${followUp.type} found no quiet moment`);
  if (outcome && otherwise) await carryOut(execute, otherwise, context);
};
