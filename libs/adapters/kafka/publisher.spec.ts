import { describe, expect, it } from '@jest/globals';
import { Partitioners, type Admin, type PartitionMetadata, type Producer, type Transaction } from 'kafkajs';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import type { PublicMessage } from '../../eventsourcing/ports/publisher.port.js';
import { PartitionLeaders } from './partition-leaders.js';
import { KafkaPublisher } from './publisher.js';

const require = createRequire(import.meta.url);
const createMessageProducer = require('kafkajs/src/producer/messageProducer.js') as (parts: object) => Pick<Transaction, 'sendBatch'>;
const createRetry = require('kafkajs/src/retry/index.js') as (options: object) => unknown;
const { createErrorFromCode } = require('kafkajs/src/protocol/error.js') as { createErrorFromCode: (code: number) => Error };

const NOT_LEADER = 6;
const CONCURRENT_TRANSACTIONS = 51;
/** Milliseconds until a broker responds. kafkajs waits less than this before a retry. */
const LATENCY = 20;
type Sent = { readonly topicData: readonly { readonly topic: string; readonly partitions: readonly Part[] }[] };
type Part = { readonly partition: number; readonly messages: readonly { readonly key: string }[] };

/** Creates brokers that respond like Kafka. Each accepts only records for the partitions that it leads. */
const brokersOf = (leaders: Map<number, string>) => {
  const taken: string[] = [];
  const brokerOf = (nodeId: string) => ({
    nodeId,
    async produce({ topicData }: Sent) {
      await setTimeout(LATENCY);
      const parts = topicData.flatMap(({ partitions }) => partitions);
      if (parts.some(({ partition }) => leaders.get(partition) !== nodeId)) throw createErrorFromCode(NOT_LEADER);
      for (const { messages } of parts) taken.push(...messages.map(({ key }) => key));
      return { topics: topicData.map(({ topic, partitions }) => ({ topicName: topic, partitions: partitions.map(responseFor) })) };
    },
  });
  const responseFor = ({ partition }: Part) => ({ partition, errorCode: 0, baseOffset: '0' });
  return { taken, brokers: new Map(['a', 'b', 'c'].map((nodeId) => [nodeId, brokerOf(nodeId)])) };
};

type Cluster = { readonly leaders: Map<number, string>; readonly known: Map<number, string>; partitions: number };

/** Returns the number of the broker that an admin client sees as the leader of a partition. */
type LeaderSeen = (state: Cluster, partition: number) => number;
const leaderIn: LeaderSeen = ({ known }, partition) => 'abc'.indexOf(known.get(partition) ?? '');
type Options = { readonly rejections?: number; readonly leaderSeen?: LeaderSeen };

/** Returns the partitions as an admin client reads them. An admin client identifies brokers by number. */
const metadataOf = (state: Cluster, leaderSeen: LeaderSeen): PartitionMetadata[] =>
  Array.from({ length: state.partitions }, (_, partitionId) => ({
    partitionId,
    leader: leaderSeen(state, partitionId),
    partitionErrorCode: 0,
    replicas: [],
    isr: [],
  }));

/** Creates the cluster metadata of kafkajs, with the leaders as of its last refresh. */
const clusterOf = (state: Cluster, brokers: ReadonlyMap<string, object>) => ({
  addMultipleTargetTopics: async () => undefined,
  refreshMetadataIfNecessary: async () => undefined,
  async refreshMetadata() {
    for (const [partition, leader] of state.leaders) state.known.set(partition, leader);
    state.partitions = state.leaders.size;
  },
  isConnected: () => true,
  findTopicPartitionMetadata: () => Array.from({ length: state.partitions }, (_, partitionId) => ({ partitionId, leader: 0 })),
  findLeaderForPartitions(_: string, partitions: readonly string[]) {
    const led: Record<string, number[]> = {};
    for (const partition of partitions.map(Number)) (led[state.known.get(partition) ?? ''] ??= []).push(partition);
    return led;
  },
  findBroker: async ({ nodeId }: { nodeId: string }) => brokers.get(nodeId),
});

/**
 * Creates the part of the transaction state that sending uses. The coordinator rejects partition 1
 * `rejections.left` times.
 */
const transactionState = (rejections: { left: number }) => ({
  acquireBrokerLock: async () => undefined,
  releaseBrokerLock: async () => undefined,
  isTransactional: () => true,
  async addPartitionsToTransaction(topicData: Sent['topicData']) {
    const isRejected = topicData.some(({ partitions }) => partitions.some(({ partition }) => partition === 1));
    if (isRejected && rejections.left-- > 0) throw createErrorFromCode(CONCURRENT_TRANSACTIONS);
  },
  getSequence: () => 0,
  updateSequence: () => undefined,
  getTransactionalId: () => 'relay',
  getProducerId: () => 1,
  getProducerEpoch: () => 0,
});

const quiet = { debug: () => undefined, error: () => undefined, warn: () => undefined, info: () => undefined };

type PublisherUnderTest = {
  readonly publisher: KafkaPublisher;
  readonly taken: readonly string[];
  readonly state: Cluster;
  readonly committed: () => number;
};

/**
 * Opens a publisher that uses kafkajs with fake brokers. Broker a leads partition 0, and broker b partition
 * 1.
 */
const openPublisherUnderTest = ({ rejections = 0, leaderSeen = leaderIn }: Options = {}): PublisherUnderTest => {
  const leaders = new Map([0, 1].map((partition) => [partition, partition === 0 ? 'a' : 'b']));
  const state: Cluster = { leaders, known: new Map(leaders), partitions: 2 };
  const { taken, brokers } = brokersOf(leaders);
  let committed = 0;
  const { sendBatch } = createMessageProducer({
    logger: quiet,
    cluster: clusterOf(state, brokers),
    partitioner: Partitioners.DefaultPartitioner(),
    eosManager: transactionState({ left: rejections }),
    idempotent: true,
    retrier: createRetry({ initialRetryTime: 1, factor: 0, multiplier: 1, maxRetryTime: 1, retries: 3 }),
    getConnectionStatus: () => 'connected',
  });
  const transaction = { sendBatch, commit: async () => void committed++ } as unknown as Transaction;
  const producer: Pick<Producer, 'transaction'> = { transaction: async () => transaction };
  const fetchTopicMetadata: Admin['fetchTopicMetadata'] = async () => ({
    topics: [{ name: 'things', partitions: metadataOf(state, leaderSeen) }],
  });
  const publisher = new KafkaPublisher({
    producer,
    leaders: new PartitionLeaders({ fetchTopicMetadata }, new Map()),
    disconnect: async () => undefined,
    name: 'relay',
    namespace: '',
  });
  return { publisher, taken, state, committed: () => committed };
};

const attributes = {
  specversion: '1.0',
  id: 'event-1',
  type: 'test',
  source: '/test',
  time: '2026-01-02T03:04:05.678Z',
  datacontenttype: 'application/json',
  tenantid: 'shared',
  eventtype: 'Made',
};
const message = (key: string): PublicMessage => ({ topic: 'things', key, attributes, data: 'null' });
const KEYS = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7'];

describe('a publisher', () => {
  it('publishes messages when every leader accepts its records', async () => {
    const { publisher, taken, committed } = openPublisherUnderTest();
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });

  it('resends records that the old leader of a partition rejected to the new leader', async () => {
    const { publisher, taken, state, committed } = openPublisherUnderTest();
    state.leaders.set(1, 'c');
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });

  it('sends records to a new leader that has already accepted other records', async () => {
    const { publisher, taken, state, committed } = openPublisherUnderTest();
    state.leaders.set(1, 'a');
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });

  it('sends each record once when the coordinator rejects a partition at first', async () => {
    const { publisher, taken, committed } = openPublisherUnderTest({ rejections: 2 });
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });

  it('rejects when kafkajs skips a new leader because it has already responded for another partition', async () => {
    // The admin client reports the same leader for both partitions.
    const { publisher, state, committed } = openPublisherUnderTest({ leaderSeen: () => 0 });
    state.leaders.set(1, 'a');
    await expect(publisher.publish(KEYS.map(message))).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'Kafka is unavailable: no broker acknowledged the records sent to things/1',
    });
    expect(committed()).toBe(0);
    await expect(publisher.publish(KEYS.map(message))).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });

  it('resends a message to the same partition, even if partitions were added', async () => {
    const { publisher, taken, state, committed } = openPublisherUnderTest();
    for (const partition of [1, 2, 3, 4]) state.leaders.set(partition, 'c');
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });
});
