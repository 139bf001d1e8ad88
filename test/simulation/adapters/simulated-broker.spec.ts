import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openForTest, recordingLog, type OpenForTest } from '../../../libs/adapters/sqlite/sqlite.fixtures.js';
import type { Messages } from '../../../libs/eventsourcing/ports/messages.port.js';
import type { Publisher } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { yieldToEventLoop } from '../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { messageOf } from '../../contract/kafka.js';
import { directLink } from '../link.js';
import { Broker, type Batches } from './simulated-broker.js';
import { simulatedPublisher, topicsNow } from './simulated-publisher.js';
import { simulatedTopicMessages } from './simulated-topic-messages.js';

const TOPIC = 'things.v1';

describe('the partitions of a simulated group', () => {
  type Process = { readonly clock: ManualClock; readonly messages: Messages; readonly seen: string[] };
  const brokerClock = manualClock();
  let store: OpenForTest;
  let broker: Broker;
  let publisher: Publisher;
  let lines: ReturnType<typeof recordingLog>;
  let processes: Process[];

  beforeEach(async () => {
    store = await openForTest(':memory:');
    lines = recordingLog();
    broker = new Broker(brokerClock);
    broker.createTopic(TOPIC);
    publisher = await simulatedPublisher(broker, 'relay', directLink);
    processes = [];
    for (let index = 0; index < 2; index++) await startProcess();
  });
  afterEach(() => store.close());

  const startProcess = async (): Promise<void> => {
    const clock = manualClock();
    const messages = simulatedTopicMessages(broker, directLink, {
      topics: [TOPIC],
      groupOf: (consumer) => consumer,
      documents: store.documents,
      waiting: async () => [],
      clock,
      log: lines,
    });
    const seen: string[] = [];
    processes.push({ clock, messages, seen });
    const joined = messages.subscribe({ name: 'reader', types: new Set(['Made']), handle: async ({ stream }) => void seen.push(stream) });
    await pass(2_000);
    await joined;
  };
  /** Lets time pass for the brokers and for all processes but the paused ones. */
  const pass = async (milliseconds: number, paused: readonly Process[] = []): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 50) {
      brokerClock.advance(50);
      for (const process of processes) if (!paused.includes(process)) process.clock.advance(50);
      await yieldToEventLoop();
    }
  };
  const publish = async (keys: readonly string[]): Promise<void> => {
    const stored = { revision: 0, position: 1, id: 'id', type: 'Made', data: 'null', metadata: '{"tenant":"shared"}' };
    await publisher.publish(keys.map((key) => messageOf(TOPIC, { ...stored, stream: `thing-${key}` })));
  };
  const keysOf = (prefix: string): readonly string[] => Array.from({ length: 20 }, (_, index) => `${prefix}${index}`);
  const streamsOf = (prefix: string): readonly string[] => keysOf(prefix).map((key) => `thing-${key}`);
  const numberSeenBy = ({ seen }: Process, prefix: string): number => seen.filter((stream) => stream.startsWith(`thing-${prefix}`)).length;

  it('go to the other members when a process pauses for longer than its session, and are shared again when it continues', async () => {
    const [one, other] = processes;
    await pass(8_000, [one]);
    await publish(keysOf('a'));
    await pass(1_000, [one]);
    expect(other.seen.toSorted()).toEqual(streamsOf('a').toSorted());
    await pass(2_000);
    await publish(keysOf('b'));
    await pass(2_000);
    expect([...one.seen, ...other.seen].toSorted()).toEqual([...streamsOf('a'), ...streamsOf('b')].toSorted());
    expect([numberSeenBy(one, 'b') > 0, numberSeenBy(other, 'b') > 0]).toEqual([true, true]);
    expect(await one.messages.consumers()).toEqual({ reader: { behind: 0, parked: 0 } });
  });

  it('are not committed by a member that was removed', async () => {
    const request = { topics: [TOPIC], sessionTimeout: 6_000, rebalanceTimeout: 10_000 };
    const group = broker.group('alone');
    const { memberId, assigned } = group.join(null, request);
    const offsets = [{ topic: TOPIC, partition: 0, offset: 1 }];
    group.commit(memberId, assigned?.generation ?? 0, offsets);
    brokerClock.advance(6_001);
    group.join(null, request);
    expect(() => group.commit(memberId, assigned?.generation ?? 0, [{ topic: TOPIC, partition: 0, offset: 2 }])).toThrow(
      'UNKNOWN_MEMBER_ID',
    );
    expect(group.committed(TOPIC, 0)).toBe(1);
  });

  it('are committed for the last generation while members join again, and not after', () => {
    const request = { topics: [TOPIC], sessionTimeout: 6_000, rebalanceTimeout: 10_000 };
    const group = broker.group('pair');
    const first = group.join(null, request);
    const second = group.join(null, request);
    expect(second.assigned).toBeNull();
    group.commit(first.memberId, 1, [{ topic: TOPIC, partition: 0, offset: 1 }]);
    expect(() => group.heartbeat(first.memberId, 1)).toThrow('REBALANCE_IN_PROGRESS');
    expect(group.join(first.memberId, request).assigned?.offsets).toHaveLength(3);
    expect(() => group.commit(first.memberId, 1, [])).toThrow('ILLEGAL_GENERATION');
    expect(group.join(second.memberId, request).assigned?.generation).toBe(2);
  });
});

describe('the ends of simulated topics', () => {
  it('match the offsets that a publisher returns, and a missing topic has none', async () => {
    const broker = new Broker(manualClock());
    broker.createTopic(TOPIC, 1);
    const publisher = await simulatedPublisher(broker, 'relay', directLink);
    const stored = { stream: 'thing-1', revision: 0, position: 1, id: 'id', type: 'Made', data: 'null', metadata: '{"tenant":"shared"}' };
    expect(await publisher.publish([messageOf(TOPIC, stored)])).toEqual({ [`${TOPIC}/0`]: 1 });
    // The end of a transaction is a record of its own, with an offset.
    expect(await topicsNow(broker, [TOPIC, 'missing.v1'], directLink)).toEqual({ cluster: 'simulated', ends: { [`${TOPIC}/0`]: 2 } });
  });
});

describe('a transaction of simulated brokers', () => {
  const clock = manualClock();
  let broker: Broker;
  beforeEach(() => {
    broker = new Broker(clock);
    broker.createTopic(TOPIC, 1);
  });
  const batch = (...keys: readonly string[]): Batches => [
    { topic: TOPIC, messages: keys.map((key) => ({ key, value: null, partition: 0 })) },
  ];
  const committedKeys = (): readonly string[] => broker.fetch({ topic: TOPIC, partition: 0, offset: 0 }).messages.map(({ key }) => key);

  it('stores a request once, even if it arrives twice or after the commit', () => {
    const producer = broker.openProducer('relay');
    for (let times = 0; times < 2; times++) broker.send(producer, 1, 1, batch('a'));
    expect(committedKeys()).toEqual([]);
    for (let times = 0; times < 2; times++) broker.commit(producer, 1);
    expect(() => broker.send(producer, 1, 1, batch('a'))).toThrow('INVALID_TXN_STATE');
    expect(committedKeys()).toEqual(['a']);
  });

  it('that is abandoned delays later messages until it times out, and is then discarded', () => {
    const abandoned = broker.openProducer('replay');
    broker.send(abandoned, 1, 1, batch('a'));
    const producer = broker.openProducer('relay');
    broker.send(producer, 1, 1, batch('b'));
    broker.commit(producer, 1);
    expect(committedKeys()).toEqual([]);
    clock.advance(30_001);
    expect(committedKeys()).toEqual(['b']);
    expect(() => broker.commit(abandoned, 1)).toThrow('INVALID_PRODUCER_EPOCH');
  });

  it('is discarded when a newer producer with the same name opens', () => {
    const older = broker.openProducer('relay');
    broker.send(older, 1, 1, batch('a'));
    broker.openProducer('relay');
    expect(() => broker.commit(older, 1)).toThrow('INVALID_PRODUCER_EPOCH');
    expect(committedKeys()).toEqual([]);
  });
});
