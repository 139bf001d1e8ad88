import { TOPIC_PARTITIONS } from '../../../../libs/contracts/contracts.js';
import { messageTypeOf, publishedMessages, type MessageContract, type MessageSpec } from '../../../../libs/contracts/message-contract.js';
import { headersOf } from '../../../../libs/contracts/message-headers.js';
import { exampleOf, id } from '../../../../libs/contracts/message-schema.js';
import { inNamespace } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import { dataName, headersName, schemaRef } from './schemas.js';

/** The settings that the names and the replication of topics depend on. */
export type TopicSettings = {
  /** The namespace in topic names. Empty if there is none (contract 24.10). */
  readonly namespace: string;
  readonly replicas: number;
};

const KAFKA_BINDING = '0.5.0';

/** Returns the channel name of a topic, such as `pets` for `petstore.pets.v1`. */
const channelOf = ({ source }: MessageContract): string => source.slice(source.lastIndexOf('/') + 1);
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns whether every event of the contract's streams is published. */
const hasEveryEvent = ({ on }: MessageContract): boolean => !Object.values<unknown>(on).includes('unpublished');

/** Creates a channel for each topic. */
export const topicChannels = (contracts: readonly MessageContract[], settings: TopicSettings): object =>
  Object.fromEntries(contracts.map((contract) => [channelOf(contract), topicChannel(contract, settings)]));

const topicChannel = (contract: MessageContract, { namespace, replicas }: TopicSettings): object => ({
  address: inNamespace(namespace, contract.topic),
  title: `Topic of ${channelOf(contract)}`,
  summary: hasEveryEvent(contract) ? `Every event of every ${contract.category}, in order` : `Some events of every ${contract.category}`,
  description: hasEveryEvent(contract)
    ? `The key is the ${contract.category}’s id, which keeps its messages in order. ce_sequence numbers these messages, so that consumers can detect gaps.`
    : `The key is the ${contract.category}’s id. Other events are not published, so ce_sequence has gaps.`,
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
        summary: `Publishes every event of every ${contract.category} after it is recorded, at least once`,
        messages: publishedMessages(contract).map(([type]) => ({ $ref: `#/channels/${channel}/messages/${type}` })),
        tags: [{ name: 'topics' }],
      };
      // The name of a published operation cannot change, so it does not begin with `publish`.
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

const topicMessage = (contract: MessageContract, type: string, { summary, schema }: MessageSpec): object => ({
  name: messageTypeOf(contract.category, type),
  title: type,
  summary,
  contentType: 'application/json',
  headers: schemaRef(headersName(type)),
  payload: schemaRef(dataName(type)),
  bindings: {
    kafka: { key: id(`The ${contract.category}’s id`, '01a0e5b0-0000-7000-8000-000000000002'), bindingVersion: KAFKA_BINDING },
  },
  examples: [{ name: type, summary, headers: exampleOf(headersOf(contract, type)), payload: exampleOf(schema) }],
  tags: [{ name: 'topics' }],
});
