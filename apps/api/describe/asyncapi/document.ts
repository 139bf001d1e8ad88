import { contracts } from '../../../../libs/contracts/contracts.js';
import { orderCallbackMessage, receiverChannels, receiverOperations, webhookMessages } from './receivers.js';
import { topicChannels, topicMessages, topicOperations } from './topics.js';

const DESCRIPTION = `What the store tells on its own.

Topics carry every change of pets, orders and payments, for those who run the store on several machines: CloudEvents 1.0 on Kafka, in binary mode, as JSON.
Webhooks carry the changes that an endpoint asked for, to any address, signed (Standard Webhooks 1.0). A callback tells the client that requested it the status of an order.

Everything is told at least once, with stable ids. More properties and more kinds of messages may come: pass over what you do not know. Nothing is taken away or changed but under a new name.`;

/** What the store tells described in AsyncAPI 3.1.0, for a service at `publicUrl` whose topics rest on so many brokers. */
export const asyncapiDocument = (publicUrl: string, replicas: number): object => ({
  asyncapi: '3.1.0',
  info: {
    title: 'Pet Store messages',
    version: '1.0.0',
    description: DESCRIPTION,
    license: { name: 'MIT' },
    externalDocs: { url: `${publicUrl}/docs/events`, description: 'The same, to read' },
    tags: [
      { name: 'topics', description: 'Every change, on Kafka' },
      { name: 'receivers', description: 'What was asked for, over HTTP' },
    ],
  },
  defaultContentType: 'application/json',
  servers: {
    topics: {
      host: '{brokers}',
      protocol: 'kafka',
      description: 'The brokers of a store on several machines; a store in one process has no topics',
      variables: { brokers: { default: 'localhost:9092', description: 'As in KAFKA_BROKERS' } },
    },
    receiver: {
      host: '{host}',
      protocol: 'https',
      description: 'The receiver: a registered endpoint, or the callbackUrl of a callback request',
      variables: { host: { default: 'receiver.example.com', description: 'The host of that address' } },
    },
  },
  channels: { ...topicChannels(contracts, replicas), ...receiverChannels() },
  operations: { ...topicOperations(contracts), ...receiverOperations() },
  components: { messages: { ...topicMessages(contracts), ...webhookMessages(), ...orderCallbackMessage() } },
});
