import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { commandContextOf, type CommandContext, type Message, type RecordedEvent } from '../../eventsourcing/message.js';
import type { Consumer } from '../../eventsourcing/ports/messages.port.js';
import type { Execute, FollowUp, Process } from '../../eventsourcing/process.js';
import { readEvent } from '../codec/verified-history.js';

/** The name of the reactor's checkpoint. */
const REACTOR = 'processes';

type ReactorPorts<C extends Message> = {
  readonly store: EventStore;
  readonly codec: ReadCodec;
  readonly execute: Execute<C>;
};

type React<C extends Message> = (event: RecordedEvent) => readonly FollowUp<C>[];
/** The reactions of the processes by event type. */
type Reactions<C extends Message> = ReadonlyMap<string, readonly React<C>[]>;

/**
 * Runs the processes on the messages of the log. A message points to an event, which is read from the log and
 * passed to every process that reacts to its type. The commands that follow are executed. Rejects if one
 * could not be executed, so that the message is delivered again.
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
      const event = await readEvent({ store, codec }, stream, revision);
      if (!event) throw new Error(`no event ${revision} in ${stream}`);
      // The event in the log has the correct type. A message is only a pointer to it.
      if (event.type !== type) throw new Error(`event ${revision} of ${stream} is a ${event.type}, but the message says ${type}`);
      for (const react of reactions.get(type) ?? []) {
        for (const followUp of react(event)) await executeFollowUp(execute, followUp, commandContextOf(event));
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

/**
 * Executes a command. If it is rejected, executes its `otherwise`, if any. The rejection `contended` throws,
 * so that the message is handled again. All other rejections are final.
 */
const executeFollowUp = async <C extends Message>(execute: Execute<C>, followUp: FollowUp<C>, context: CommandContext): Promise<void> => {
  const { otherwise, ...command } = followUp;
  const outcome = await execute(command as unknown as C, context);
  if (outcome?.rejected === 'contended') throw new Error(`${followUp.type} gave up after repeated conflicts`);
  if (outcome && otherwise) await executeFollowUp(execute, otherwise, context);
};
