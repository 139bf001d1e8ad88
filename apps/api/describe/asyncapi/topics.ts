import { TOPIC_PARTITIONS } from '../../../../libs/contracts/contracts.js';
import { messageTypeOf, type MessageContract, type MessageSpec } from '../../../../libs/contracts/message-contract.js';
import { headersOf } from '../../../../libs/contracts/message-headers.js';
import { exampleOf, id } from '../../../../libs/contracts/message-schema.js';

const KAFKA_BINDING = '0.5.0';

/** `petstore.pets.v1` is told by channel `pets`. */
const channelOf = ({ source }: MessageContract): string => source.slice(source.lastIndexOf('/') + 1);
const eventsOf = ({ on }: MessageContract): readonly (readonly [string, MessageSpec])[] => Object.entries(on);
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Each topic with the messages that may stand in it. */
export const topicChannels = (contracts: readonly MessageContract[], replicas: number): object =>
  Object.fromEntries(contracts.map((contract) => [channelOf(contract), topicChannel(contract, replicas)]));

const topicChannel = (contract: MessageContract, replicas: number): object => ({
  address: contract.topic,
  title: `Topic of ${channelOf(contract)}`,
  summary: `Every event of every ${contract.category}, in order`,
  description: `The key is the ${contract.category}’s id, so that its messages stay in order; ce_sequence counts them, so that a gap shows.`,
  servers: [{ $ref: '#/servers/topics' }],
  messages: Object.fromEntries(
    eventsOf(contract).map(([type]) => [type, { $ref: `#/components/messages/${messageTypeOf(contract.category, type)}` }]),
  ),
  bindings: {
    kafka: {
      topic: contract.topic,
      partitions: TOPIC_PARTITIONS,
      replicas,
      // Kept for ever: a reader may begin at the beginning, whenever it comes.
      topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': -1, 'retention.bytes': -1 },
      bindingVersion: KAFKA_BINDING,
    },
  },
  tags: [{ name: 'topics' }],
});

/** Telling each topic. */
export const topicOperations = (contracts: readonly MessageContract[]): object =>
  Object.fromEntries(
    contracts.map((contract) => {
      const channel = channelOf(contract);
      const operation = {
        action: 'send',
        channel: { $ref: `#/channels/${channel}` },
        title: `Tell of ${channel}`,
        summary: `Tells every event of every ${contract.category} once it is recorded, at least once`,
        messages: eventsOf(contract).map(([type]) => ({ $ref: `#/channels/${channel}/messages/${type}` })),
        tags: [{ name: 'topics' }],
      };
      return [`tell${capitalised(channel)}`, operation];
    }),
  );

/** Every message of every topic, by its CloudEvents type. */
export const topicMessages = (contracts: readonly MessageContract[]): object =>
  Object.fromEntries(
    contracts.flatMap((contract) =>
      eventsOf(contract).map(([type, told]) => [messageTypeOf(contract.category, type), topicMessage(contract, type, told)]),
    ),
  );

const topicMessage = (contract: MessageContract, type: string, { summary, schema }: MessageSpec): object => {
  const headers = headersOf(contract, type);
  return {
    name: messageTypeOf(contract.category, type),
    title: type,
    summary,
    contentType: 'application/json',
    headers,
    payload: schema,
    bindings: {
      kafka: { key: id(`The ${contract.category}’s id`, '01a0e5b0-0000-7000-8000-000000000002'), bindingVersion: KAFKA_BINDING },
    },
    examples: [{ name: type, summary, headers: exampleOf(headers), payload: exampleOf(schema) }],
    tags: [{ name: 'topics' }],
  };
};
