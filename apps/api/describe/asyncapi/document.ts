import { contracts } from '../../../../libs/contracts/contracts.js';
import { orderCallbackMessage, receiverChannels, receiverOperations, webhookMessages } from './receivers.js';
import { namedSchemas } from './schemas.js';
import { topicChannels, topicMessages, topicOperations, type TopicSettings } from './topics.js';
import { withAddresses } from '../example-addresses.js';

const DESCRIPTION = `The events that the service publishes to topics, and sends to webhook endpoints and callback URLs.

Topics contain every change of pets, orders, payments and applications for adoption, the erasures of users, and the signed checkpoints of the log. In the distributed profile, the service publishes them to Kafka, as CloudEvents 1.0 in binary mode with JSON data.
Webhooks send the changes that an endpoint subscribes to, signed according to Standard Webhooks 1.0. A callback sends the status of an order to the client that requested it.

Every message is delivered at least once, with a stable id. Properties and kinds of messages may be added: ignore those that you do not know. Existing ones are not removed or changed. A breaking change gets a new name.`;

/** Creates the AsyncAPI 3.1.0 document for a service at `publicUrl` (contract 25.4). */
export const asyncapiDocument = (publicUrl: string, topics: TopicSettings): object =>
  withAddresses(
    {
      asyncapi: '3.1.0',
      info: {
        title: 'Pet Store messages',
        version: '1.0.0',
        description: DESCRIPTION,
        license: { name: 'MIT' },
        externalDocs: { url: `${publicUrl}/docs/events`, description: 'The page that describes these messages for people' },
        tags: [
          { name: 'topics', description: 'Every change, published to Kafka' },
          { name: 'receivers', description: 'Webhooks and callbacks, sent over HTTP' },
        ],
      },
      defaultContentType: 'application/json',
      servers: {
        topics: {
          host: '{brokers}',
          protocol: 'kafka',
          description: 'The Kafka brokers of the distributed profile. The embedded profile has no topics',
          variables: { brokers: { default: 'localhost:9092', description: 'The value of the setting KAFKA_BROKERS' } },
        },
        receiver: {
          host: '{host}',
          protocol: 'https',
          description: 'The receiver: a registered endpoint, or the callbackUrl of a callback request',
          variables: { host: { default: 'receiver.example.com', description: 'The host of the endpoint or of the callbackUrl' } },
        },
      },
      channels: { ...topicChannels(contracts, topics), ...receiverChannels() },
      operations: { ...topicOperations(contracts), ...receiverOperations() },
      components: {
        messages: { ...topicMessages(contracts), ...webhookMessages(), ...orderCallbackMessage() },
        schemas: namedSchemas(),
      },
    },
    publicUrl,
  );

/**
 * Creates the AsyncAPI 3.0.0 document, for tools that do not read 3.1 (contract 25.4). The two documents differ only in the
 * version number.
 */
export const asyncapi30Document = (publicUrl: string, topics: TopicSettings): object => ({
  ...asyncapiDocument(publicUrl, topics),
  asyncapi: '3.0.0',
});
