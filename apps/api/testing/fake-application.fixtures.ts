import type { DynamicModule } from '@nestjs/common';
import { CommandBus, QueryBus, type Command, type Query } from '@nestjs/cqrs';

type Asked = Command<unknown> | Query<unknown>;
type Kind<T extends Asked> = abstract new (...args: never[]) => T;
type AnswerOf<T> = T extends Command<infer A> ? A : T extends Query<infer A> ? A : never;

/** An application that answers what a test says, and remembers what it was asked. */
export type FakeApplication = {
  readonly module: DynamicModule;
  readonly asked: Asked[];
  /** From now on requests of that class are answered so; an error thrown is the answer's failure. */
  answers<T extends Asked>(kind: Kind<T>, answer: (asked: T) => AnswerOf<T>): void;
  /** The last thing it was asked. */
  last<T extends Asked>(kind: Kind<T>): T;
};

class FakeApplicationModule {}

/** Buses without handlers: what no test has given an answer to is a fault of the test. */
export const fakeApplication = (): FakeApplication => {
  const answers = new Map<unknown, (asked: never) => unknown>();
  const asked: Asked[] = [];
  const bus = {
    async execute(request: Asked): Promise<unknown> {
      asked.push(request);
      const answer = answers.get(request.constructor);
      if (!answer) throw new Error(`no test has said how to answer ${request.constructor.name}`);
      return answer(request as never);
    },
  };
  return {
    asked,
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
      const found = asked.at(-1);
      if (!(found instanceof kind)) throw new Error(`the last thing asked was not ${kind.name}`);
      return found;
    },
  };
};
