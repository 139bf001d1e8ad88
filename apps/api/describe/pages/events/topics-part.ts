import { contracts, TOPIC_PARTITIONS } from '../../../../../libs/contracts/contracts.js';
import { messageTypeOf, type MessageContract, type MessageSpec } from '../../../../../libs/contracts/message-contract.js';
import { headersOf } from '../../../../../libs/contracts/message-headers.js';
import { exampleOf, type JsonSchema } from '../../../../../libs/contracts/message-schema.js';
import { escapeHtml } from '../page.js';
import { jsonHtml, schemaTable, wordsHtml } from './schema-table.js';

/** Headers as of any message: those that name the event say so in words. */
const anyHeaders = (contract: MessageContract, type: string): JsonSchema => {
  const headers = headersOf(contract, type);
  const properties = headers['properties'] as Readonly<Record<string, JsonSchema>>;
  return { ...headers, properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, unfixed(name, part)])) };
};

const EACH_ITS_OWN: ReadonlySet<string> = new Set(['ce_type', 'ce_source', 'ce_eventtype']);

const unfixed = (name: string, { const: value, ...part }: JsonSchema): JsonSchema =>
  EACH_ITS_OWN.has(name) ? { ...part, description: `${String(part['description'])}, as \`${String(value)}\`` } : { ...part, const: value };

/** The topics, for those who read them. */
export const topicsPart = (): string => {
  const [first] = contracts;
  const [type = ''] = first ? Object.keys(first.on) : [];
  return `<section id="topics"><h2>Topics</h2>
<p>A store on several machines tells every event on Kafka: CloudEvents 1.0 in binary mode, JSON. A topic keeps its messages for ever, so a reader may begin at the beginning, whenever it comes. A store in one process has no topics.</p>
<p>Each has ${TOPIC_PARTITIONS} partitions, for ever, so that keys stay where they are.</p>
<div class="wide"><table><thead><tr><th>Topic</th><th>Key</th></tr></thead><tbody>${contracts
    .map(({ topic, category }) => `<tr><td><a href="#${topic}"><code>${topic}</code></a></td><td>the ${category}’s id</td></tr>`)
    .join('')}</tbody></table></div>
<h3 id="headers">Headers</h3>
<p>A message’s attributes are its headers, all of them text.</p>
${first ? schemaTable(anyHeaders(first, type)) : ''}
${contracts.map(topicPart).join('\n')}</section>`;
};

const topicPart = (contract: MessageContract): string => `<h3 id="${contract.topic}"><code>${contract.topic}</code></h3>
${Object.entries(contract.on)
  .map(([type, told]) => messagePart(contract, type, told))
  .join('\n')}`;

const messagePart = (contract: MessageContract, type: string, { summary, schema }: MessageSpec): string => {
  const name = messageTypeOf(contract.category, type);
  return `<details class="message" id="${name}"><summary><code>${escapeHtml(name)}</code><span>${wordsHtml(summary)}</span></summary>
${schemaTable(schema)}
${jsonHtml(exampleOf(schema))}</details>`;
};
