import { describe, expect, it } from '@jest/globals';
import type { EachBatchPayload, Kafka, TopicPartitionOffset } from 'kafkajs';
import { ParkedKeys, type ParkedKeyStore } from '../../../eventsourcing/consuming/parked-keys.js';
import { Pauses } from '../../../eventsourcing/consuming/pauses.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { GroupMember } from './group-member.js';

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const nothingParked: Partial<ParkedKeyStore> = { all: async () => [], count: async () => 0 };

/** Opens a member of a group with one partition. `committed` is the offset that another member has stored. */
const openMember = async (committed: number) => {
  const clock = manualClock();
  const listeners = new Map<string, (event: object) => void>();
  const stored: number[] = [];
  let eachBatch: (payload: EachBatchPayload) => Promise<void> = () => Promise.resolve();
  const kafka = {
    consumer: () => ({
      events: { GROUP_JOIN: 'join', CRASH: 'crash', END_BATCH_PROCESS: 'batch' },
      on: (event: string, listener: (event: object) => void) => listeners.set(event, listener),
      connect: async () => undefined,
      subscribe: async () => undefined,
      run: async (config: { eachBatch: typeof eachBatch }) => void ({ eachBatch } = config),
      disconnect: async () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      commitOffsets: async (offsets: readonly TopicPartitionOffset[]) => void stored.push(...offsets.map(({ offset }) => Number(offset))),
    }),
  } as unknown as Kafka;
  const handling = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
  const member = new GroupMember(
    { name: 'reader', types: new Set(['Made']), handle: ({ revision }) => handling[revision]?.promise ?? Promise.resolve() },
    {
      ...{ kafka, groupId: 'readers', topics: ['things'], prepare: async () => undefined, pauses: new Pauses(clock), clock, log },
      parkedKeys: new ParkedKeys('reader', { store: nothingParked as ParkedKeyStore, clock, log }),
      offsets: { lag: async () => ({ count: 0, firstAt: null }), committed: async () => new Map([['things/0', committed]]) },
    },
  );
  const join = (): void => listeners.get('join')?.({ payload: { memberId: 'm', memberAssignment: { things: [0] } } });
  const messageAt = (offset: number) => ({
    offset: String(offset),
    headers: { ce_subject: `thing-${offset}`, ce_eventtype: 'Made', ce_sequence: String(offset + 1) },
  });
  const started = member.start();
  await yieldToEventLoop();
  join();
  await started;
  return {
    stored,
    join,
    async fetch(from: number, to: number) {
      const messages = Array.from({ length: to - from }, (_, index) => messageAt(from + index));
      await eachBatch({
        batch: { topic: 'things', partition: 0, messages, lastOffset: () => String(to - 1) },
      } as unknown as EachBatchPayload);
    },
    async finish(offset: number) {
      handling[offset]?.resolve();
      await yieldToEventLoop();
      clock.advance(1_000);
      await yieldToEventLoop();
    },
    stop: () => member.stop(),
  };
};

/** Opens a member that has two messages in progress at a rebalance, and finishes them afterwards. */
const openOverRebalance = async (committed: number) => {
  const member = await openMember(committed);
  await member.fetch(0, 2);
  member.join();
  await member.finish(0);
  await member.finish(1);
  return member;
};

/** Proves contract 24.5. */
describe('a member of a group that keeps a partition over a rebalance', () => {
  it('sets no position back that another member has stored in a generation which it has missed', async () => {
    const member = await openOverRebalance(5);
    expect(member.stored).toEqual([]);
    await member.fetch(5, 6);
    await member.finish(5);
    expect(member.stored).toEqual([6]);
    await member.stop();
  });

  it('stores what it has handled if no other member has gone further', async () => {
    const member = await openOverRebalance(0);
    expect(member.stored).toEqual([1, 2]);
    await member.stop();
  });
});
