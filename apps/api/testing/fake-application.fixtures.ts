import type { DynamicModule } from '@nestjs/common';
import { CommandBus, QueryBus, type Command, type Query } from '@nestjs/cqrs';

type BusRequest = Command<unknown> | Query<unknown>;
type Kind<T extends BusRequest> = abstract new (...args: never[]) => T;
type ResultOf<T> = T extends Command<infer R> ? R : T extends Query<infer R> ? R : never;

/**
 * Fake command and query buses. They record every command and query, and return the results that a test sets.
 */
export type FakeApplication = {
  readonly module: DynamicModule;
  readonly requests: BusRequest[];
  /**
   * Sets the function that returns the result of each command or query of a class. The function may throw.
   */
  answers<T extends BusRequest>(kind: Kind<T>, answer: (request: T) => ResultOf<T>): void;
  /** Returns the last command or query. Throws if it is of another class. */
  last<T extends BusRequest>(kind: Kind<T>): T;
};

class FakeApplicationModule {}

/** Creates the fake buses. A command or query fails if the test has set no result for its class. */
export const fakeApplication = (): FakeApplication => {
  const answers = new Map<unknown, (request: never) => unknown>();
  const requests: BusRequest[] = [];
  const bus = {
    async execute(request: BusRequest): Promise<unknown> {
      requests.push(request);
      const answer = answers.get(request.constructor);
      if (!answer) throw new Error(`the test has set no result for ${request.constructor.name}`);
      return answer(request as never);
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
      ],
      exports: [CommandBus, QueryBus],
    },
    answers: (kind, answer) => void answers.set(kind, answer),
    last: (kind) => {
      const found = requests.at(-1);
      if (!(found instanceof kind)) throw new Error(`the last request was not ${kind.name}`);
      return found;
    },
  };
};
