import type { DynamicModule } from '@nestjs/common';
import { RecordSecurityEvent } from '../../../libs/application/security/security.commands.js';
import { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { CommandBus, QueryBus, type Command, type Query } from '@nestjs/cqrs';

type BusRequest = Command<unknown> | Query<unknown>;
type Kind<T extends BusRequest> = abstract new (...args: never[]) => T;
type ResultOf<T> = T extends Command<infer R> ? R : T extends Query<infer R> ? R : never;

/**
 * Fake command and query buses. They record every command and query, and call the handlers that a test sets.
 */
export type FakeApplication = {
  readonly module: DynamicModule;
  readonly requests: BusRequest[];
  /** Sets the handler of the commands or queries of a class. It returns their result, or throws. */
  setHandler<T extends BusRequest>(kind: Kind<T>, handler: (request: T) => ResultOf<T>): void;
  /** Returns the last command or query. Throws if it is of another class. */
  last<T extends BusRequest>(kind: Kind<T>): T;
};

class FakeApplicationModule {}

/** Creates the fake buses. A command or query fails if the test has set no handler for its class. */
export const fakeApplication = (clock: Clock = manualClock()): FakeApplication => {
  const handlers = new Map<unknown, (request: never) => unknown>();
  const requests: BusRequest[] = [];
  const bus = {
    async execute(request: BusRequest): Promise<unknown> {
      if (request instanceof RecordSecurityEvent) return null;
      requests.push(request);
      const handler = handlers.get(request.constructor);
      if (!handler) throw new Error(`the test has set no handler for ${request.constructor.name}`);
      return handler(request as never);
    },
  };
  return {
    requests,
    module: {
      module: FakeApplicationModule,
      global: true,
      providers: [
        { provide: CommandBus, useValue: bus },
        { provide: QueryBus, useValue: bus },
        { provide: Clock, useValue: clock },
      ],
      exports: [CommandBus, QueryBus, Clock],
    },
    setHandler: (kind, handler) => void handlers.set(kind, handler),
    last: (kind) => {
      const found = requests.at(-1);
      if (!(found instanceof kind)) throw new Error(`the last request was not ${kind.name}`);
      return found;
    },
  };
};
