import { describe, expect, it } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import { Pauses } from '../../../eventsourcing/consuming/pauses.js';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { Fetching } from './fetching.js';

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a member of a group', () => {
  it('starts while the brokers are down, logs the failure once, and joins when its topics can be created', async () => {
    const clock = manualClock();
    const pauses = new Pauses(clock);
    const [done, warnings]: [string[], string[]] = [[], []];
    const consumer = {
      events: {},
      on: () => undefined,
      connect: async () => void done.push('connect'),
      subscribe: async ({ topics }: { topics: readonly string[] }) => void done.push(`subscribe to ${topics.join()}`),
      run: async () => void done.push('run'),
      disconnect: async () => void done.push('disconnect'),
    };
    let failures = 2;
    const prepare = async (): Promise<void> => {
      done.push('prepare');
      if (failures-- > 0) throw new Error('no brokers');
    };
    const log = { info: () => undefined, error: () => undefined, warn: (fields: object) => void warnings.push(JSON.stringify(fields)) };
    const parts = { kafka: { consumer: () => consumer } as unknown as Kafka, groupId: 'readers', topics: ['things'], prepare, pauses, log };
    const fetching = new Fetching(parts, { onAssigned: () => undefined, onFetched: () => undefined });

    await fetching.start();
    expect([done, warnings]).toEqual([['prepare'], ['{"group":"readers","reason":"no brokers"}']]);
    for (let seconds = 0; seconds < 2; seconds++) {
      clock.advance(1_000);
      await yieldToEventLoop();
    }
    expect(done).toEqual(['prepare', 'prepare', 'prepare', 'connect', 'subscribe to things', 'run']);
    pauses.end();
    await fetching.stop();
    expect([done.at(-1), warnings.length]).toEqual(['disconnect', 1]);
  });
});
