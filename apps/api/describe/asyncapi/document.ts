import { contracts } from '../../../../libs/contracts/contracts.js';
import { orderCallbackMessage, receiverChannels, receiverOperations, webhookMessages } from './receivers.js';
import { namedSchemas } from './schemas.js';
import { topicChannels, topicMessages, topicOperations, type TopicSettings } from './topics.js';

const DESCRIPTION = `The events that the store publishes and sends.

Topics contain every change of pets, orders and payments. A store on several machines publishes them to Kafka, as CloudEvents 1.0 in binary mode with JSON data.
Webhooks send the changes that an endpoint subscribes to, signed by Standard Webhooks 1.0. A callback sends the status of an order to the client that requested it.

Every message is delivered at least once, with a stable id. Properties and kinds of messages may be added; ignore what you do not know. Nothing is removed or changed except under a new name.`;

/** Creates the AsyncAPI 3.1.0 document for a service at `publicUrl` and topics with these settings (contract 25.4). */
export const asyncapiDocument = (publicUrl: string, topics: TopicSettings): object => ({
  asyncapi: '3.1.0',
  info: {
    title: 'Pet Store messages',
    version: '1.0.0',
    description: DESCRIPTION,
    license: { name: 'MIT' },
    externalDocs: { url: `${publicUrl}/docs/events`, description: 'The same for people' },
    tags: [
      { name: 'topics', description: 'Every change, on Kafka' },
      { name: 'receivers', description: 'Webhooks and callbacks, over HTTP' },
    ],
  },
  defaultContentType: 'application/json',
  servers: {
    topics: {
      host: '{brokers}',
      protocol: 'kafka',
      description: 'The brokers of a store on several machines. A store in one process has no topics',
      variables: { brokers: { default: 'localhost:9092', description: 'As in KAFKA_BROKERS' } },
    },
    receiver: {
      host: '{host}',
      protocol: 'https',
      description: 'The receiver: a registered endpoint, or the callbackUrl of a callback request',
      variables: { host: { default: 'receiver.example.com', description: 'The host of that address' } },
    },
  },
  channels: { ...topicChannels(contracts, topics), ...receiverChannels() },
  operations: { ...topicOperations(contracts), ...receiverOperations() },
  components: {
    messages: { ...topicMessages(contracts), ...webhookMessages(), ...orderCallbackMessage() },
    schemas: namedSchemas(),
  },
});

/** Creates the same document in AsyncAPI 3.0.0, for tools that do not read 3.1 (contract 25.4). */
export const asyncapi30Document = (publicUrl: string, topics: TopicSettings): object => ({
  ...asyncapiDocument(publicUrl, topics),
  asyncapi: '3.0.0',
});
