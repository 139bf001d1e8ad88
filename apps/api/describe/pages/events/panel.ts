import type { JsonSchema } from '../../../../../libs/contracts/message-schema.js';
import { copiedHtml } from '../page.js';
import { pathHtml, schemaTable, wordsHtml } from './schema-table.js';

type Message = {
  readonly name: string;
  /** Where links lead; the name by default. */
  readonly id?: string;
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly examples: readonly unknown[];
};

/** A message, closed until it is opened or a link leads to it. */
export const panelHtml = ({ name, id = name, summary, schema, examples }: Message): string =>
  `<details class="message" id="${id}"><summary><code>${pathHtml(name)}</code><span>${wordsHtml(summary)}</span></summary>
${schemaTable(schema)}
${examples.map((example) => copiedHtml(JSON.stringify(example, null, 2))).join('\n')}</details>`;
