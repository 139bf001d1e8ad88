import type { JsonSchema } from '../../../../../libs/contracts/message-schema.js';
import { copyableHtml } from '../page.js';
import { pathHtml, schemaTable, wordsHtml } from './schema-table.js';

type Message = {
  readonly name: string;
  /** The HTML id of the panel, for links. The default is the name. */
  readonly id?: string;
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly examples: readonly unknown[];
};

/** Creates the panel of a message. The panel is closed until a user opens it or follows a link to it. */
export const panelHtml = ({ name, id = name, summary, schema, examples }: Message): string =>
  `<details class="message" id="${id}"><summary><code>${pathHtml(name)}</code><span>${wordsHtml(summary)}</span></summary>
${schemaTable(schema)}
${examples.map((example) => copyableHtml(JSON.stringify(example, null, 2))).join('\n')}</details>`;
