import { describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { Kafka as Binding, type CloudEventV1 } from 'cloudevents';
import { Kafka, logLevel, type KafkaMessage } from 'kafkajs';
import { addPartitions, openPublisher, readTopics, type KafkaConnection } from '../../libs/adapters/kafka/index.js';
import type { PublicMessage } from '../../libs/eventsourcing/ports/publisher.port.js';
import { sharedKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { topicForTest, type Brokers } from './kafka.js';
import { publisherContract, type PublisherUnderTest, type ReceivedMessage } from './publisher.contract.js';

/** The API key of Kafka's EndTxn request. In a request, the key follows the four bytes of the length. */
const END_TRANSACTION = 26;
const isEndOfTransaction = (request: unknown): boolean => Buffer.isBuffer(request) && request.readInt16BE(4) === END_TRANSACTION;

/** Creates sockets. One of them sends the first EndTxn request, and disconnects before the client receives the response. */
const socketsLosingResponse = (): NonNullable<KafkaConnection['socketFactory']> => {
  let isLosing = false;
  return ({ host, port, onConnect }): Socket => {
    const socket = connect({ host, port }, onConnect);
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = (...args: unknown[]): boolean => {
      if (!isLosing && isEndOfTransaction(args[0])) {
        isLosing = true;
        // The next data on the socket is the response to this request. When it arrives, Kafka has ended the transaction.
        socket.removeAllListeners('data');
        socket.once('data', () => socket.destroy(new Error('cut')));
      }
      return write(...args);
    };
    return socket;
  };
};

/** Parses a message with the CloudEvents library, as any consumer would. */
const receive = ({ key, value, headers = {} }: KafkaMessage): ReceivedMessage => {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)]));
  const event = Binding.toEvent<unknown>({ key: String(key), value, headers: texts, body: value, timestamp: undefined } as never);
  const { data, partitionkey, ...attributes } = event as CloudEventV1<unknown>;
  return { key: String(partitionkey), attributes: attributes as ReceivedMessage['attributes'], data: JSON.stringify(data) };
};

const underTest = async (kafka: Brokers): Promise<PublisherUnderTest> => {
  const { connection, topic } = await topicForTest(kafka);
  const received: ReceivedMessage[] = [];
  const reader = new Kafka({ brokers: [...connection.brokers], logLevel: logLevel.NOTHING }).consumer({
    groupId: topic,
    maxWaitTimeInMs: 50,
  });
  await reader.connect();
  await reader.subscribe({ topics: [topic], fromBeginning: true });
  await reader.run({ eachMessage: async ({ message }) => void received.push(receive(message)) });
  return {
    topic,
    open: () => openPublisher(connection, topic),
    openLosingResponse: () => openPublisher({ ...connection, socketFactory: socketsLosingResponse() }, topic),
    received: () => received,
    close: () => reader.disconnect(),
  };
};

const NAME = 'the Kafka adapter';

describeIfAvailable(`${NAME} as a publisher`, await sharedKafka(), (kafka) => publisherContract(NAME, () => underTest(kafka)));

const messageFor =
  (topic: string) =>
  (key: string): PublicMessage => ({
    topic,
    key,
    attributes: {
      specversion: '1.0',
      id: 'id',
      type: 'petstore.thing.made.v1',
      source: '/petstore/things',
      subject: 'thing-1',
      time: '2026-01-02T03:04:05.678Z',
      datacontenttype: 'application/json',
      tenantid: 'shared',
      sequence: '1',
      eventtype: 'Made',
    },
    data: '{}',
  });

const NAME_OF_SPREAD = 'the keys of a topic that gets more partitions';

/** Proves contract 22.7. */
describeIfAvailable(NAME_OF_SPREAD, await sharedKafka(), (kafka) => {
  describe(NAME_OF_SPREAD, () => {
    const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    /** Publishes a message of each key. Returns the numbers of the partitions that got messages. */
    const publishAll = async (connection: KafkaConnection, topic: string, spread: number): Promise<readonly string[]> => {
      const publisher = await openPublisher(connection, topic, { [topic]: spread });
      try {
        const ends = await publisher.publish(KEYS.map(messageFor(topic)));
        return Object.keys(ends).map((name) => name.replace(`${topic}/`, ''));
      } finally {
        await publisher.close();
      }
    };

    it('stay in the partitions that were recorded, until the record is changed', async () => {
      const { connection, topic } = await topicForTest(kafka, 2);
      expect(await addPartitions({ connection, names: [topic] }, 8)).toBeNull();
      expect((await publishAll(connection, topic, 2)).toSorted()).toEqual(['0', '1']);
      expect((await publishAll(connection, topic, 8)).length).toBeGreaterThan(2);
    });

    it('are not published to a topic with fewer partitions than were recorded', async () => {
      const { connection, topic } = await topicForTest(kafka, 2);
      await expect(publishAll(connection, topic, 6)).rejects.toMatchObject({
        name: 'StoreUnavailable',
        message: expect.stringContaining(`${topic} has 2 of the 6 partitions that its keys are spread over`),
      });
    });
  });
});

const NAME_OF_ENDS = 'the ends of Kafka partitions';

/** Proves contract 22.7. */
describeIfAvailable(NAME_OF_ENDS, await sharedKafka(), (kafka) => {
  it('match the offsets that a publisher returns, and a missing topic has none', async () => {
    const { connection, topic } = await topicForTest(kafka, 2);
    const message = messageFor(topic);
    const publisher = await openPublisher(connection, topic);
    const before = await readTopics(connection, [topic, `${topic}.not-there`]);
    expect(before.ends).toEqual({ [`${topic}/0`]: 0, [`${topic}/1`]: 0 });
    const published: Record<string, number> = {};
    for (let batch = 0; batch < 3; batch++) Object.assign(published, await publisher.publish(['a', 'b', 'c', 'd', 'e'].map(message)));
    await publisher.close();
    const { cluster, ends } = await readTopics(connection, [topic]);
    expect(cluster).toBe(before.cluster);
    for (const [partition, end] of Object.entries(published)) {
      expect(end).toBeGreaterThan(0);
      // The end of a transaction is a record of its own, with an offset.
      expect(ends[partition]).toBeGreaterThanOrEqual(end);
      expect((ends[partition] ?? 0) - end).toBeLessThanOrEqual(1);
    }
    expect(Object.keys(published)).toHaveLength(2);
  });
});
