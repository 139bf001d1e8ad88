import { TOPIC_PARTITIONS } from '../../../../libs/contracts/contracts.js';
import { messageTypeOf, publishedMessages, type MessageContract, type MessageSpec } from '../../../../libs/contracts/message-contract.js';
import { headersOf } from '../../../../libs/contracts/message-headers.js';
import { constantValue, exampleOf, id, type JsonSchema } from '../../../../libs/contracts/message-schema.js';
import { aggregateIdOf } from '../../../../libs/eventsourcing/message.js';
import { inNamespace } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import { DEFAULTS, type Settings } from '../../../../libs/settings/settings.js';
import { dataName, headersName, schemaRef } from './schemas.js';

/** The settings that determine the names and the replication of topics. */
export type TopicSettings = {
  /** The namespace in topic names. Empty if there is none (contract 24.10). */
  readonly namespace: string;
  /** The number of brokers that store each message. */
  readonly replicas: number;
};

/**
 * Returns the topic settings that `/asyncapi.json` and `/docs/events` show. The embedded profile has no topics, so its
 * documents show the defaults.
 */
export const topicSettingsOf = ({ servers }: Settings): TopicSettings => ({
  namespace: servers?.namespace ?? DEFAULTS.namespace,
  replicas: servers?.kafkaReplication ?? DEFAULTS.kafkaReplication,
});

/** The version of AsyncAPI's Kafka bindings. */
const KAFKA_BINDING = '0.5.0';

/** Returns the channel name of a topic, such as `pets` for `petstore.pets.v1`. */
const channelOf = ({ source }: MessageContract): string => source.slice(source.lastIndexOf('/') + 1);
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns whether every event in the streams of a contract is published. */
const hasEveryEvent = ({ on }: MessageContract): boolean => !Object.values<unknown>(on).includes('unpublished');

/** Creates a channel for each topic. */
export const topicChannels = (contracts: readonly MessageContract[], settings: TopicSettings): object =>
  Object.fromEntries(contracts.map((contract) => [channelOf(contract), topicChannel(contract, settings)]));

/** Returns the texts that say what a topic contains, and how its messages are keyed and numbered. */
const describeChannel = (contract: MessageContract): { readonly summary: string; readonly description: string } => {
  const { category, streams } = contract;
  if (streams)
    return {
      summary: `Every event of the streams ${Object.values<string>(streams).join(' and ')}, in order`,
      description: 'Each type of message has its own key. ce_sequence numbers the messages of a key, so that consumers can detect gaps.',
    };
  return hasEveryEvent(contract)
    ? {
        summary: `Every event of every ${category}, in order`,
        description: `The key is the ${category}’s id, so the messages of one ${category} stay in order. ce_sequence numbers the messages of a key, so that consumers can detect gaps.`,
      }
    : {
        summary: `Some events of every ${category}`,
        description: `The key is the ${category}’s id. Other events are not published, so ce_sequence has gaps.`,
      };
};

const topicChannel = (contract: MessageContract, { namespace, replicas }: TopicSettings): object => ({
  address: inNamespace(namespace, contract.topic),
  title: `Topic of ${channelOf(contract)}`,
  ...describeChannel(contract),
  servers: [{ $ref: '#/servers/topics' }],
  messages: Object.fromEntries(
    publishedMessages(contract).map(([type]) => [type, { $ref: `#/components/messages/${messageTypeOf(contract.category, type)}` }]),
  ),
  bindings: {
    kafka: {
      topic: inNamespace(namespace, contract.topic),
      partitions: TOPIC_PARTITIONS,
      replicas,
      // Messages are kept permanently, so that a new consumer can read from the beginning.
      topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': -1, 'retention.bytes': -1 },
      bindingVersion: KAFKA_BINDING,
    },
  },
  tags: [{ name: 'topics' }],
});

/** Creates the operations that publish to the topics. */
export const topicOperations = (contracts: readonly MessageContract[]): object =>
  Object.fromEntries(
    contracts.map((contract) => {
      const channel = channelOf(contract);
      const operation = {
        action: 'send',
        channel: { $ref: `#/channels/${channel}` },
        title: `Publish ${channel}`,
        summary: `Publishes every ${contract.streams ? '' : 'event of every '}${contract.category} after it is recorded, at least once`,
        messages: publishedMessages(contract).map(([type]) => ({ $ref: `#/channels/${channel}/messages/${type}` })),
        tags: [{ name: 'topics' }],
      };
      // Clients know these operation names, so the old prefix `tell` cannot change (contract 28.7).
      return [`tell${capitalised(channel)}`, operation];
    }),
  );

/** Creates the messages of the topics, by CloudEvents type. */
export const topicMessages = (contracts: readonly MessageContract[]): object =>
  Object.fromEntries(
    contracts.flatMap((contract) =>
      publishedMessages(contract).map(([type, message]) => [messageTypeOf(contract.category, type), topicMessage(contract, type, message)]),
    ),
  );

/**
 * Returns the schema of a message's key. The key is usually the id of the aggregate. A contract with `streams` has no
 * aggregates. Each of its event types has one stream, and the key is the id in the name of this stream.
 */
const keySchema = ({ category, streams }: MessageContract, type: string): JsonSchema =>
  streams
    ? constantValue(aggregateIdOf(streams[type] ?? ''), 'The same for all messages of this type, which keeps them in order')
    : id(`The ${category}’s id`, '01a0e5b0-0000-7000-8000-000000000002');

const topicMessage = (contract: MessageContract, type: string, { summary, schema }: MessageSpec): object => ({
  name: messageTypeOf(contract.category, type),
  title: type,
  summary,
  contentType: 'application/json',
  headers: schemaRef(headersName(type)),
  payload: schemaRef(dataName(type)),
  bindings: { kafka: { key: keySchema(contract, type), bindingVersion: KAFKA_BINDING } },
  examples: [{ name: type, summary, headers: exampleOf(headersOf(contract, type)), payload: exampleOf(schema) }],
  tags: [{ name: 'topics' }],
});
