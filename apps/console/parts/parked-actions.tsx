import type { Action, ActionRequest } from '../acting.js';
import { Outcomes } from './outcomes.js';
import { Trial } from './trial.js';
import type { RetryChoice, RetryResult, SkippedEvent, SkipResult } from '../shapes.js';
import { SHARED } from '../tenant.js';

const post = (verb: string, body: ActionRequest['body'] & object): ActionRequest => ({
  method: 'POST',
  path: `v1/ops/parked/${verb}`,
  body,
  tenant: SHARED,
});

/** Retries what is parked, after a trial that changes nothing (contract 43.3). `what` names it in a sentence. */
export const retryAction = (choice: RetryChoice, what: string): Action => ({
  title: `Retry ${what}`,
  verb: 'Retry',
  done: 'Retried',
  does: 'The readers and consumers handle what they have parked once more, in order, and deliveries are sent again. What fails again is parked again.',
  undo: 'Nothing is lost by a retry, and what was handled stays so. A delivery that was sent stays sent.',
  reason: { in: 'body' },
  fields: <Trial choice={choice} />,
  requestOf: () => post('retry', choice),
  answerOf: (answer) => <Outcomes results={(answer as { readonly results: readonly RetryResult[] }).results} />,
});

type Skip = Pick<SkippedEvent, 'name' | 'stream' | 'revision'>;

const outcomeOf = (answer: unknown) => <Outcomes results={[answer as SkipResult]} />;

/** Leaves out an event that is parked (contract 43.8). */
export const skipAction = ({ name, stream, revision }: Skip): Action => ({
  title: `Skip event ${revision} of ${stream}`,
  verb: 'Skip',
  done: 'Skipped',
  does: (
    <>
      {name} leaves this event out from now on, and goes on with what waits behind it. The event stays in the log, and commands decide with
      it as before.
    </>
  ),
  stops: `What the event would have done in ${name} does not happen: reads, answers and messages lack it.`,
  undo: 'Unskip it: a read model then folds the stream again with it. A consumer does not go back to what it has passed.',
  reason: { in: 'body', isRequired: true },
  requestOf: () => post('skip', { name, stream, revision }),
  answerOf: outcomeOf,
});

/** Lets a skipped event count again (contract 43.8). */
export const unskipAction = ({ name, stream, revision }: Skip): Action => ({
  title: `Unskip event ${revision} of ${stream}`,
  verb: 'Unskip',
  done: 'Unskipped',
  does: `If ${name} is a read model, it folds the stream again from its first event, with this one. If the event fails again, the stream is parked again. A consumer does not handle again what it has passed.`,
  undo: 'If it is parked again, it can be skipped again.',
  reason: { in: 'body' },
  requestOf: () => post('unskip', { name, stream, revision }),
  answerOf: outcomeOf,
});
