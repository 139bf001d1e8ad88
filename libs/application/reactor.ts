import type { CommandBus } from '@nestjs/cqrs';
import type { DomainEvent } from '../domain/events.js';
import type { Clock } from '../eventsourcing/clock.port.js';
import type { EventStore } from '../eventsourcing/event-store.port.js';
import type { ReadCodec } from '../eventsourcing/handle.js';
import type { CommandContext, RecordedEvent } from '../eventsourcing/message.js';
import type { Consumer } from '../eventsourcing/messages.port.js';
import type { FollowUp, Process } from '../eventsourcing/process.js';
import type { WorkQueue } from '../eventsourcing/work-queue.port.js';
import type { ProcessCommand } from '../processes/process-command.js';
import { gatewayWork, isGatewayCall } from './payments/gateway-calls.js';
import { Perform } from './perform.js';
import { consequenceOf } from './request.js';
import { eventAt } from './verified-history.js';

/** The reactor's stored position goes by this name. */
const REACTOR = 'processes';

type ReactorPorts = {
  readonly store: EventStore;
  readonly codec: ReadCodec;
  readonly bus: CommandBus;
  readonly work: WorkQueue;
  readonly clock: Clock;
};

/** An event type to what each process makes of it. */
type React = (event: RecordedEvent) => readonly FollowUp<ProcessCommand>[];
type Reactions = ReadonlyMap<string, readonly React[]>;

/**
 * Lets processes follow the log: a message is a pointer, the recorded event is read from the log and handed to every
 * process that listens to its type, and the commands that follow are carried out. What waits for the payment gateway becomes
 * work, so that no message waits behind it. Rejects when one could not be carried out, so that the message comes again.
 */
export const createReactor = (processes: readonly Process<DomainEvent, ProcessCommand>[], ports: ReactorPorts): Consumer => {
  const { store, codec } = ports;
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
        for (const followUp of react(event)) await carryOut(ports, followUp, consequenceOf(event));
      }
    },
  };
};

const reactionsOf = (processes: readonly Process<DomainEvent, ProcessCommand>[]): Reactions => {
  const reactions = new Map<string, React[]>();
  for (const { on } of processes) {
    for (const [type, react] of Object.entries(on)) {
      if (react) reactions.set(type, [...(reactions.get(type) ?? []), react as unknown as React]);
    }
  }
  return reactions;
};

/** A refusal is an answer: what is named for it follows, or nothing does. Only contention asks for another try. */
const carryOut = async (
  ports: ReactorPorts,
  { otherwise, ...command }: FollowUp<ProcessCommand>,
  context: CommandContext,
): Promise<void> => {
  const { bus, work, clock } = ports;
  if (isGatewayCall(command)) return void (await work.enqueue(gatewayWork(command, context), clock.now()));
  const outcome = await bus.execute(new Perform(command, context));
  if (outcome?.rejected === 'contended') throw new Error(`${command.type} found no quiet moment`);
  if (outcome && otherwise) await carryOut(ports, otherwise, context);
};
