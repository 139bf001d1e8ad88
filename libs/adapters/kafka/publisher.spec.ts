import { describe, expect, it } from '@jest/globals';
import type { Producer, Transaction } from 'kafkajs';
import { createRequire } from 'node:module';
import type { PublicMessage } from '../../eventsourcing/ports/publisher.port.js';
import { choosingOnce } from './acknowledged.js';
import { KafkaPublisher } from './publisher.js';

const require = createRequire(import.meta.url);
const createMessageProducer = require('kafkajs/src/producer/messageProducer.js') as (parts: object) => Pick<Transaction, 'sendBatch'>;
const createRetry = require('kafkajs/src/retry/index.js') as (options: object) => unknown;
const { createErrorFromCode } = require('kafkajs/src/protocol/error.js') as { createErrorFromCode: (code: number) => Error };

const NOT_LEADER = 6;
type Sent = { readonly topicData: readonly { readonly topic: string; readonly partitions: readonly Part[] }[] };
type Part = { readonly partition: number; readonly messages: readonly { readonly key: string }[] };

/** A broker that takes what is for the partitions it leads, as Kafka's do, and answers as they do. */
const brokersOf = (leaders: Map<number, string>) => {
  const taken: string[] = [];
  const brokerOf = (nodeId: string) => ({
    nodeId,
    async produce({ topicData }: Sent) {
      const parts = topicData.flatMap(({ partitions }) => partitions);
      if (parts.some(({ partition }) => leaders.get(partition) !== nodeId)) throw createErrorFromCode(NOT_LEADER);
      for (const { messages } of parts) taken.push(...messages.map(({ key }) => key));
      return { topics: topicData.map(({ topic, partitions }) => ({ topicName: topic, partitions: partitions.map(answerFor) })) };
    },
  });
  const answerFor = ({ partition }: Part) => ({ partition, errorCode: 0, baseOffset: '0' });
  return { taken, brokers: new Map(['a', 'b', 'c'].map((nodeId) => [nodeId, brokerOf(nodeId)])) };
};

type Cluster = { readonly leaders: Map<number, string>; readonly known: Map<number, string>; partitions: number };

/** What kafkajs knows of the cluster: who leads what, as it was when it last asked. */
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

/** As much of a transaction's book-keeping as sending asks for. */
const bookkeeping = () => ({
  acquireBrokerLock: async () => undefined,
  releaseBrokerLock: async () => undefined,
  isTransactional: () => true,
  addPartitionsToTransaction: async () => undefined,
  getSequence: () => 0,
  updateSequence: () => undefined,
  getTransactionalId: () => 'relay',
  getProducerId: () => 1,
  getProducerEpoch: () => 0,
});

const quiet = { debug: () => undefined, error: () => undefined, warn: () => undefined, info: () => undefined };

type Under = {
  readonly publisher: KafkaPublisher;
  readonly taken: readonly string[];
  readonly state: Cluster;
  readonly committed: () => number;
};

/** A publisher on kafkajs' own way of sending; only what lies beyond it is played. Partition 0 is led by a, partition 1 by b. */
const underTest = (): Under => {
  const leaders = new Map([0, 1].map((partition) => [partition, partition === 0 ? 'a' : 'b']));
  const state: Cluster = { leaders, known: new Map(leaders), partitions: 2 };
  const { taken, brokers } = brokersOf(leaders);
  let committed = 0;
  const { sendBatch } = createMessageProducer({
    logger: quiet,
    cluster: clusterOf(state, brokers),
    partitioner: choosingOnce(),
    eosManager: bookkeeping(),
    idempotent: true,
    retrier: createRetry({ initialRetryTime: 1, factor: 0, multiplier: 1, maxRetryTime: 1, retries: 3 }),
    getConnectionStatus: () => 'connected',
  });
  const transaction = { sendBatch, commit: async () => void committed++ } as unknown as Transaction;
  const producer: Pick<Producer, 'transaction' | 'disconnect'> = {
    transaction: async () => transaction,
    disconnect: async () => undefined,
  };
  const publisher = new KafkaPublisher(producer, 'relay');
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
  it('has published what every leader has taken', async () => {
    const { publisher, taken, committed } = underTest();
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });

  it('sends to the new leader of a partition what another has refused', async () => {
    const { publisher, taken, state, committed } = underTest();
    state.leaders.set(1, 'c');
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });

  it('has not published what no broker has acknowledged: the new leader had answered for another partition, and is not asked', async () => {
    const { publisher, state, committed } = underTest();
    state.leaders.set(1, 'a');
    await expect(publisher.publish(KEYS.map(message))).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'Kafka cannot be used now: no broker has acknowledged what was sent to things/1',
    });
    expect(committed()).toBe(0);
    await expect(publisher.publish(KEYS.map(message))).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });

  it('sends a message again to the partition it was sent to, also when there are more by then', async () => {
    const { publisher, taken, state, committed } = underTest();
    for (const partition of [1, 2, 3, 4]) state.leaders.set(partition, 'c');
    await publisher.publish(KEYS.map(message));
    expect([[...taken].sort(), committed()]).toEqual([KEYS, 1]);
  });
});
