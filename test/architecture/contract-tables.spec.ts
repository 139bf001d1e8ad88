import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Access } from '../../apps/api/http/admission/access.js';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { ERROR_CODES } from '../../apps/api/http/problems/error-codes.js';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { CLASSIC_OPERATIONS, OPERATIONS } from '../../apps/api/operations.js';
import { TOKEN_SCOPES } from '../../apps/petstore/terminal/token-scopes.js';
import { contracts } from '../../libs/contracts/contracts.js';
import { messageTypeOf, publishedMessages, type MessageSpec } from '../../libs/contracts/message-contract.js';
import { webhookContracts } from '../../libs/contracts/webhooks.js';
import { CURRENCIES } from '../../libs/domain/currencies.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { SETTINGS, type Setting } from '../../libs/settings/setting-table.js';
import { ROOT } from '../servers/program.js';
import { codesIn, rowsIn } from './contract-cells.js';

const contract = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8');

const textOf = (section: string, document = contract): string => {
  const [, after = ''] = document.split(new RegExp(`^### ${section.replace('.', '\\.')} .*$`, 'm'));
  return after.split(/^#/m)[0] ?? '';
};

/** Returns the rows of the table of a section, without the heading row. Each row is a list of cells. */
const tableOf = (section: string, document = contract): readonly (readonly string[])[] => rowsIn(textOf(section, document));

/** Returns the code spans in the first column of the table of a section, sorted. */
const firstCodesOf = (section: string): readonly string[] =>
  tableOf(section)
    .flatMap(([cell]) => codesIn(cell))
    .toSorted();

/** Returns the credential as contract 5.6 writes it: `owner`, or `none, strict: owner` if the policies differ. */
const credentialOf = ({ documented, strict }: Access): string => {
  const word = (requirement: Access[keyof Access]): string =>
    typeof requirement === 'object'
      ? requirement.scope
      : { nothing: 'none', token: 'any token', owner: 'owner', account: 'account', applicant: 'applicant', subject: 'subject' }[
          requirement
        ];
  return word(documented) === word(strict) ? word(documented) : `${word(documented)}, strict: ${word(strict)}`;
};

const rowOf = ({ id, method, path, success, idempotent, conditional, access }: OperationRecord): string =>
  [
    id,
    `${method} ${path.replace(/^\/v1/, '')}`,
    success.status,
    `${idempotent ? 'K' : ''}${conditional ? 'C' : ''}`,
    credentialOf(access),
  ].join(' | ');

/** Returns the rows of contract 5.6, with full paths. In the contract, `.../` abbreviates `/webhooks/{id}/` in long paths. */
const statedOperations = (document: string): readonly string[] =>
  tableOf('5.6', document).map((row) =>
    row
      .join(' | ')
      .replaceAll('`', '')
      .replace(/ \.\.\.\//, ' /webhooks/{id}/'),
  );

const operations = Object.values(OPERATIONS).map(rowOf).toSorted();

/** Returns an operation as a row of contract 39.2, with its name in the OpenAPI document: `addPet` for `classicAddPet`. */
const classicRowOf = (operation: OperationRecord): string =>
  rowOf(operation)
    .replace(/^classic(.)/, (_, first: string) => first.toLowerCase())
    .replace(' /api/v3', ' ');

describe('the operations that contract 39.2 lists', () => {
  it('are those of the classic variant', () => {
    const stated = tableOf('39.2').map((row) => row.join(' | ').replaceAll('`', ''));
    expect(stated.toSorted()).toEqual(Object.values(CLASSIC_OPERATIONS).map(classicRowOf).toSorted());
  });
});

describe('the operations that contract 5.6 lists', () => {
  it('are those of the service: method, path, status, headers and credential', () => {
    expect(statedOperations(contract).toSorted()).toEqual(operations);
  });

  it.each([
    ['GET /inventories', 'GET /inventory'],
    ['| 202 | K | `write:webhooks` |', '| 200 | K | `write:webhooks` |'],
    ['| `deletePet` | DELETE /pets/{id} | 204 | C | `write:pets` |', '| `deletePet` | DELETE /pets/{id} | 204 | C | none |'],
    ['none, strict: owner |', 'none |'],
    ['| `getPet` | GET /pets/{id} | 200 | | none |\n', ''],
  ])('differ from those of the service when the contract is changed at %s', (right, wrong) => {
    expect(contract).toContain(right);
    expect(statedOperations(contract.replace(right, wrong)).toSorted()).not.toEqual(operations);
  });
});

/** The data of a message as contract 22.6 writes it: names in any order, `?` after an optional one. */
const dataOf = ({ schema }: MessageSpec): readonly string[] => {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .toSorted();
};

const messages = contracts.flatMap((published) =>
  publishedMessages(published).map(([event, message]) => ({
    name: messageTypeOf(published.category, event).replace(/^petstore\.(.*)\.v1$/, '$1'),
    data: dataOf(message),
  })),
);

const statedMessages = tableOf('22.6').flatMap(([names, data]) =>
  codesIn(names).map((name) => ({
    name,
    data: (codesIn(data)[0] ?? '')
      .split(/, |[{}]/)
      .filter((word) => word !== '')
      .toSorted(),
  })),
);

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

describe('the tables of the contract', () => {
  it('list the problem kinds with their statuses (contract 4.9)', () => {
    const stated = tableOf('4.9').map(([status, kind]) => `${status} ${codesIn(kind).join()}`);
    expect(stated.toSorted()).toEqual(
      Object.entries(PROBLEMS)
        .map(([kind, { status }]) => `${status} ${kind}`)
        .toSorted(),
    );
  });

  it('list the error codes (contract 4.10)', () => {
    expect(firstCodesOf('4.10')).toEqual(Object.keys(ERROR_CODES).toSorted());
  });

  it('list the scopes that a token may have (contract 5.5)', () => {
    expect(firstCodesOf('5.5')).toEqual(Object.keys(TOKEN_SCOPES).toSorted());
  });

  it('list the webhook events (contract 19.2)', () => {
    expect(firstCodesOf('19.2')).toEqual(webhookContracts.map(({ eventType }) => eventType).toSorted());
  });

  it('list the topic messages with the properties of their data (contract 22.6)', () => {
    expect(statedMessages.toSorted(byName)).toEqual(messages.toSorted(byName));
  });

  it('list the event types by stream (contract 23.3)', () => {
    let category = '';
    const stated = tableOf('23.3').flatMap(([stream = '', types]) => {
      category = stream || category;
      return codesIn(types).map((type) => `${category} ${type}`);
    });
    const declared = Object.entries(DOMAIN_EVENTS).map(([type, event]) => `${event.category} ${type}`);
    expect(stated.toSorted()).toEqual(declared.toSorted());
  });

  it('list settings with their defaults (contract 27.3)', () => {
    const settings: readonly Setting[] = Object.values(SETTINGS);
    const defaults = new Map(settings.map((setting) => [setting.name, setting.default]));
    const stated = tableOf('27.3').flatMap(([names, value]) => codesIn(names).map((name) => [name, codesIn(value)[0] ?? null] as const));
    expect(stated.filter(([name]) => !defaults.has(name))).toEqual([]);
    expect(stated.filter(([name, value]) => value !== null && defaults.get(name) !== value)).toEqual([]);
    expect(stated.length).toBeGreaterThan(8);
  });

  it('count the currencies (contract 3.7)', () => expect(textOf('3.7')).toContain(`The ${CURRENCIES.length} currencies`));
});
