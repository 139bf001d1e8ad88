import type { Type } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRejection, rejectionIn, type Rejection } from '../eventsourcing/decider.js';
import type { CommandContext, Message } from '../eventsourcing/message.js';
import type { DocumentFold } from '../eventsourcing/projection.js';
import type { Aggregate, CommandResult, TenantScoped } from '../eventsourcing/streams/aggregate.js';
import { CommandPorts } from './command-ports.js';
import { handleWithPrecondition } from './precondition.js';
import type { CommandRejection, RequestCommand, RequestContext, RequestName, ResultOf } from './request.js';

/** Where a command of a request goes: a function that decides and returns the answer. */
export type RequestRoute<C extends Command<unknown>> = {
  readonly command: Type<C>;
  readonly run: (ports: CommandPorts, command: C) => Promise<ResultOf<C>>;
};

/** Where a command goes that no request sends. The result is a rejection, or nothing if the command was accepted. */
export type ProcessRoute<C extends Message> = (
  ports: CommandPorts,
  command: C,
  context: CommandContext,
) => Promise<Rejection | null | void>;

/** A row of the table: a command may come from a request, or from a process, a receiver or the clock, or from both. */
export type Row<Name extends string, Internal extends Message> = (Name extends RequestName
  ? {
      readonly request: {
        readonly command: Type<RequestCommand<Name, unknown>>;
        readonly run: (ports: CommandPorts, command: never) => Promise<unknown>;
      };
    }
  : { readonly request?: never }) &
  (Name extends Internal['type'] ? { readonly process: ProcessRoute<Extract<Internal, { type: Name }>> } : { readonly process?: never });

/** A command of a request that a function decides: it spans streams, or calls a port. */
export const request = <C extends RequestCommand<RequestName, unknown>>(
  command: abstract new (...args: never[]) => C,
  run: (ports: CommandPorts, command: C) => Promise<ResultOf<C>>,
): RequestRoute<C> => ({ command: command as Type<C>, run });

type WithEtag = { readonly projection: DocumentFold & { readonly version: number } };

/**
 * Lets one aggregate decide a command of a request, under the request's If-Match. `decided` is the command of its decider, and
 * `answer` makes the answer from the fold of the stream.
 */
export const by =
  <S extends TenantScoped, D extends Message, E extends Message, R extends string, C extends { id: string; request: RequestContext }, A>(
    aggregate: Aggregate<S, D, E, R> & WithEtag,
    decided: (command: C, ports: CommandPorts) => D,
    answer: (id: string, result: CommandResult<S, E>) => A,
  ) =>
  async (ports: CommandPorts, command: C): Promise<A | CommandRejection<R>> => {
    const outcome = await handleWithPrecondition(ports.aggregates, aggregate, command.id, decided(command, ports), command.request);
    return isRejection(outcome) ? outcome : answer(command.id, outcome);
  };

/** Lets one aggregate decide a command of a process. `idOf` returns the id of the aggregate. */
export const to =
  <S extends TenantScoped, D extends Message, E extends Message, R extends string, C extends D>(
    aggregate: Aggregate<S, D, E, R>,
    idOf: (data: C['data']) => string,
  ): ProcessRoute<C> =>
  async ({ aggregates }, command, context) => {
    const outcome = await aggregates.handle(aggregate, idOf(command.data), command, context);
    return rejectionIn(outcome);
  };

/** A command of a process, for the command bus. */
abstract class ProcessMessage extends Command<null | Rejection> {
  constructor(
    readonly command: Message,
    readonly context: CommandContext,
  ) {
    super();
  }
}

export type { ProcessMessage };

/** Makes the class with which the bus carries the commands of one type: Nest dispatches by class. */
export const messageClass = (type: string): Type<ProcessMessage> => {
  const classes = { [type]: class extends ProcessMessage {} };
  return classes[type];
};

/** Makes the handler of a class of commands. */
export const handlerOf = <C extends Command<unknown>>(
  command: Type<C>,
  run: (ports: CommandPorts, command: C) => Promise<unknown>,
): Type<ICommandHandler> => {
  @CommandHandler(command)
  class RouteHandler {
    constructor(private readonly ports: CommandPorts) {}

    execute(sent: C): Promise<unknown> {
      return run(this.ports, sent);
    }
  }
  return RouteHandler;
};
