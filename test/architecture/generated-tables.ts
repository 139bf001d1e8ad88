import { openapiDocument } from '../../apps/api/describe/openapi/document.js';
import { scopesOf, type Access } from '../../apps/api/http/admission/access.js';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { CLASSIC_OPERATIONS, OPERATIONS } from '../../apps/api/operations.js';
import { contracts } from '../../libs/contracts/contracts.js';
import { messageTypeOf, publishedMessages, type MessageSpec } from '../../libs/contracts/message-contract.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { fieldTable, type Schemas } from './field-tables.js';
import { code, row, table, type Table } from './markdown-table.js';

/** The document with the tables. */
export const CONTRACT = 'docs/contract.md';

const CREDENTIALS = { nothing: 'none', token: 'any token', owner: 'owner', account: 'account', applicant: 'applicant', subject: 'subject' };

/** Returns the credential that an operation needs: `owner`, or `none, strict: owner` if the policies differ. */
const credentialOf = ({ documented, strict }: Access): string => {
  const word = (requirement: Access[keyof Access]): string =>
    typeof requirement === 'object' ? scopesOf(requirement).map(code).join(' or ') : CREDENTIALS[requirement];
  return word(documented) === word(strict) ? word(documented) : `${word(documented)}, strict: ${word(strict)}`;
};

const operationRow = ({ id, method, path, success, idempotent, conditional, takesReason, access }: OperationRecord): string => {
  const reads = `${idempotent ? 'K' : ''}${conditional ? 'C' : ''}${takesReason ? 'R' : ''}`;
  return row(code(id), `${method} ${path}`, success.status, reads, credentialOf(access));
};

const operationTable = (operations: readonly OperationRecord[]): Table =>
  table(['Operation', 'Method and path', 'Success', 'Reads', 'Credential'], operations.map(operationRow));

/** Returns the operation without the prefix of its paths, which the section states. */
const below =
  (prefix: string) =>
  (operation: OperationRecord): OperationRecord => ({ ...operation, path: operation.path.replace(prefix, '') });

/** The OpenAPI document of the classic variant has `addPet` for `classicAddPet`. */
const classicId = (operation: OperationRecord): OperationRecord => ({
  ...operation,
  id: operation.id.replace(/^classic(.)/, (_, first: string) => first.toLowerCase()),
});

/** Returns the properties of a message's data, with `?` after an optional one. */
const dataOf = ({ schema }: MessageSpec): string => {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return code(names.join(', ') || '{}');
};

const messageTable = (): Table =>
  table(
    ['Name', 'Data'],
    contracts.flatMap((contract) =>
      publishedMessages(contract).map(([event, message]) =>
        row(code(messageTypeOf(contract.category, event).replace(/^petstore\.(.*)\.v1$/, '$1')), dataOf(message)),
      ),
    ),
  );

const eventTable = (): Table => {
  const types = Map.groupBy(Object.entries(DOMAIN_EVENTS), ([, { category }]) => category);
  const rows = [...types].map(([category, events]) => row(category, events.map(([type]) => code(type)).join(', ')));
  return table(['Stream', 'Types'], rows);
};

/** The generated tables of docs/contract.md, by section. */
const TABLES: Readonly<Record<string, () => Table>> = {
  '5.6': () => operationTable(Object.values(OPERATIONS).map(below('/v1'))),
  '12.1': () => fieldTable(schemas(), { added: 'PetRequest', shown: 'Pet' }),
  '13.1': () => fieldTable(schemas(), { added: 'OrderRequest', shown: 'Order' }),
  '22.6': messageTable,
  '23.3': eventTable,
  '30.1': () => fieldTable(schemas(), { added: 'UserRequest', shown: 'User' }),
  '36.1': () => fieldTable(schemas(), { added: 'AdoptionRequest', shown: 'Adoption' }),
  '39.2': () => operationTable(Object.values(CLASSIC_OPERATIONS).map(below('/api/v3')).map(classicId)),
};

const schemas = (): Schemas => {
  const document = openapiDocument('https://pets.example.com') as { readonly components: { readonly schemas: Schemas } };
  return document.components.schemas;
};

const FIRST_TABLE = /^\|.*\n(?:\|.*\n)+/m;

/** Returns the contract with the tables that the code has now. Throws if a section has no table. */
export const withGeneratedTables = (contract: string): string =>
  Object.entries(TABLES).reduce((document, [section, tableNow]) => {
    const begin = document.indexOf(`\n### ${section} `);
    const end = document.indexOf('\n#', begin + 1);
    const text = document.slice(begin, end);
    if (begin < 0 || !FIRST_TABLE.test(text)) throw new Error(`contract ${section} has no table`);
    return document.slice(0, begin) + text.replace(FIRST_TABLE, () => `${tableNow().join('\n')}\n`) + document.slice(end);
  }, contract);
