import { isRejection, type Rejection } from '../../../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../../../libs/eventsourcing/aggregates.js';
import type { HandleOptions } from '../../../../libs/eventsourcing/handle.js';
import type { Aggregate, CommandResult, TenantScoped } from '../../../../libs/eventsourcing/streams/aggregate.js';
import type { CommandContext, Message } from '../../../../libs/eventsourcing/message.js';
import { continueTrace, inSpan, type SpanEnd } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import type { Observers } from './observers.js';

/** Aggregates that count and trace their commands by type and outcome. */
export class ObservedAggregates extends Aggregates {
  constructor(
    private readonly observers: Observers,
    ...parts: ConstructorParameters<typeof Aggregates>
  ) {
    super(...parts);
  }

  override handle<S extends TenantScoped, C extends Message, E extends Message, R extends string>(
    aggregate: Aggregate<S, C, E, R>,
    id: string,
    command: C,
    context: CommandContext,
    options?: HandleOptions<S>,
  ): Promise<CommandResult<S, E> | Rejection<R | 'precondition_failed' | 'contended'>> {
    const start = { name: command.type, kind: 'internal', attributes: { 'petstore.category': aggregate.category } } as const;
    const handle = async (traceparent: string | undefined) => {
      try {
        const result = await super.handle(aggregate, id, command, continueTrace(context, traceparent), options);
        this.observers.metrics?.commandHandled(command.type, outcomeOf(result));
        return result;
      } catch (error) {
        this.observers.metrics?.commandHandled(command.type, 'failed');
        throw error;
      }
    };
    return inSpan(this.observers.tracing, context.traceparent, start, handle, endOf);
  }
}

type Outcome = { readonly events: readonly unknown[] } | Rejection;

/** Returns `accepted`, `unchanged` if the command added no events, or the reason of the rejection. */
const outcomeOf = (result: Outcome): string => {
  if (isRejection(result)) return result.rejected;
  return result.events.length === 0 ? 'unchanged' : 'accepted';
};

const endOf = (result: Outcome): SpanEnd => ({ attributes: { 'petstore.outcome': outcomeOf(result) } });
