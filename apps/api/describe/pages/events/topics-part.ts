import { contracts, TOPIC_PARTITIONS } from '../../../../../libs/contracts/contracts.js';
import { messageTypeOf, publishedMessages, type MessageContract } from '../../../../../libs/contracts/message-contract.js';
import { headersOf } from '../../../../../libs/contracts/message-headers.js';
import { exampleOf, type JsonSchema } from '../../../../../libs/contracts/message-schema.js';
import { aggregateIdOf } from '../../../../../libs/eventsourcing/message.js';
import { inNamespace } from '../../../../../libs/eventsourcing/ports/publisher.port.js';
import { panelHtml } from './panel.js';
import { pathHtml, schemaTable } from './schema-table.js';

/**
 * Returns a schema for the headers of all messages, made from the headers of one message type. If the value of a header
 * depends on the message type, the description of the header shows the value of this type as an example.
 */
const anyHeaders = (contract: MessageContract, type: string): JsonSchema => {
  const headers = headersOf(contract, type);
  const properties = headers['properties'] as Readonly<Record<string, JsonSchema>>;
  return { ...headers, properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, withExample(name, part)])) };
};

const TYPE_DEPENDENT_HEADERS: ReadonlySet<string> = new Set(['ce_type', 'ce_source', 'ce_eventtype']);

const withExample = (name: string, { const: value, ...part }: JsonSchema): JsonSchema =>
  TYPE_DEPENDENT_HEADERS.has(name)
    ? { ...part, description: `${String(part['description'])}, such as \`${String(value)}\`` }
    : { ...part, const: value };

/** Creates the part of the page about topics. */
export const topicsPart = (namespace: string): string => {
  const [first] = contracts;
  const [type = ''] = first ? publishedMessages(first).map(([name]) => name) : [];
  return `<section id="topics"><h2>Topics</h2>
<p>In the distributed profile, the service publishes every event to Kafka, as CloudEvents 1.0 in binary mode with JSON data. Topics keep their messages permanently, so a consumer may start at the beginning at any time. The embedded profile has no topics.</p>
<p>A new topic has ${TOPIC_PARTITIONS} partitions. All messages of a key are in one partition, until operators move the keys to more partitions.</p>
<table class="rows"><thead><tr><th scope="col">Topic</th><th scope="col">Key</th></tr></thead><tbody>${contracts
    .map(
      (contract) =>
        `<tr><td><a href="#${contract.topic}"><code>${pathHtml(inNamespace(namespace, contract.topic))}</code></a></td><td>${keyHtml(contract)}</td></tr>`,
    )
    .join('')}</tbody></table>
<h3 id="headers">Headers</h3>
<p>The CloudEvents attributes of a message are its Kafka headers. All values are text.</p>
${first ? schemaTable(anyHeaders(first, type)) : ''}
${contracts.map((contract) => topicPart(contract, namespace)).join('\n')}</section>`;
};

const keyHtml = ({ category, streams }: MessageContract): string =>
  streams
    ? Object.values<string>(streams)
        .map((stream) => `<code>${aggregateIdOf(stream)}</code>`)
        .join(' or ')
    : `the id of the ${category}`;

const topicPart = (
  contract: MessageContract,
  namespace: string,
): string => `<h3 id="${contract.topic}"><code>${pathHtml(inNamespace(namespace, contract.topic))}</code></h3>
${publishedMessages(contract)
  .map(([type, { summary, schema }]) =>
    panelHtml({ name: messageTypeOf(contract.category, type), summary, schema, examples: [exampleOf(schema)] }),
  )
  .join('\n')}`;
