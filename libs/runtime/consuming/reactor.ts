import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import { commandContextOf, type CommandContext, type Message, type RecordedEvent } from '../../eventsourcing/message.js';
import type { Consumer } from '../../eventsourcing/ports/messages.port.js';
import { continueTrace, inSpan, parentOfMessage, type Tracing } from '../../eventsourcing/ports/tracing.port.js';
import type { Execute, FollowUp, Process } from '../../eventsourcing/process.js';
import { readEvent } from '../codec/verified-history.js';

/** The name of the reactor's checkpoint. */
export const REACTOR = 'processes';

type ReactorPorts<C extends Message> = {
  readonly store: EventStore;
  readonly codec: ReadCodec;
  readonly execute: Execute<C>;
  readonly tracing?: Tracing;
};

type React<C extends Message> = (event: RecordedEvent) => readonly FollowUp<C>[];
/** The reactions of the processes by event type. */
type Reactions<C extends Message> = ReadonlyMap<string, readonly React<C>[]>;

/**
 * Creates the consumer that runs the processes (sagas). A message names an event of the log. The consumer reads this event,
 * passes it to every process that reacts to its type, and executes the commands that the processes return. `handle` rejects if
 * a command could not be executed, so that the message is delivered again.
 */
export const createReactor = <E extends Message, C extends Message>(
  processes: readonly Process<E, C>[],
  { store, codec, execute, tracing }: ReactorPorts<C>,
): Consumer => {
  const reactions = reactionsOf(processes);
  return {
    name: REACTOR,
    types: new Set(reactions.keys()),
    async handle({ stream, revision, type, traceparent: ofMessage }) {
      if (codec.skippedRevisions(REACTOR, stream).includes(revision)) return;
      const event = await readEvent({ store, codec }, stream, revision);
      if (!event) throw new Error(`no event ${revision} in ${stream}`);
      // Anyone who can write to the topic can send a message with a wrong type. The event in the log has the correct type.
      if (event.type !== type) throw new Error(`event ${revision} of ${stream} is a ${event.type}, but the message says ${type}`);
      const attributes = { 'petstore.consumer': REACTOR, 'petstore.event': type };
      const parent = parentOfMessage(ofMessage, event.meta.traceparent);
      await inSpan(tracing, parent, { name: `consume ${type}`, kind: 'consumer', attributes }, async (traceparent) => {
        const context = continueTrace(commandContextOf(event), traceparent);
        for (const react of reactions.get(type) ?? []) {
          for (const followUp of react(event)) await executeFollowUp(execute, followUp, context);
        }
      });
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
 * Executes a command. Throws if the command is rejected with `contended`, so that the message is handled again. After any other
 * rejection, executes the command in `otherwise`, if there is one.
 */
const executeFollowUp = async <C extends Message>(execute: Execute<C>, followUp: FollowUp<C>, context: CommandContext): Promise<void> => {
  const { otherwise, ...command } = followUp;
  const outcome = await execute(command as unknown as C, context);
  if (outcome?.rejected === 'contended') throw new Error(`${followUp.type} gave up after repeated conflicts`);
  if (outcome && otherwise) await executeFollowUp(execute, otherwise, context);
};
