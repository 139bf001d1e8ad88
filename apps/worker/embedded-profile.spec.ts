import { expect, it } from '@jest/globals';
import { yieldToEventLoop } from '../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { OperatorDecisions } from '../../libs/runtime/operating/operator-state.js';
import { createEmbeddedProfile } from './embedded-profile.js';

it('read models on one folder catch up again after a failure, and parked streams are retried all the same', async () => {
  const clock = manualClock();
  const calls: string[] = [];
  const errors: unknown[] = [];
  const profile = createEmbeddedProfile({
    documents: {} as never,
    decisions: new OperatorDecisions({} as never),
    clock,
    catchUp: async () => {
      calls.push('catch up');
      if (!calls.includes('retry')) throw new Error('the disk is full');
    },
    retryParkedStreams: async () => calls.push('retry'),
    onError: (error) => errors.push(error),
  });
  const role = profile.startProjections();
  for (let second = 0; second < 70; second++) {
    clock.advance(1_000);
    await yieldToEventLoop();
  }
  await role.stop();
  expect([calls, errors]).toEqual([['catch up', 'retry', 'catch up', 'retry'], [new Error('the disk is full')]]);
});
