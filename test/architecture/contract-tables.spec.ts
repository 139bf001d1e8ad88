import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../../apps/api/http/problems/error-codes.js';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { TOKEN_SCOPES } from '../../apps/petstore/terminal/token-scopes.js';
import { webhookContracts } from '../../libs/contracts/webhooks.js';
import { CURRENCIES } from '../../libs/domain/currencies.js';
import { SETTINGS, type Setting } from '../../libs/settings/setting-table.js';
import { ROOT } from '../servers/program.js';
import { codesIn, rowsIn } from './contract-cells.js';
import { withGeneratedTables } from './generated-tables.js';

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

/** Returns an empty list for a current contract. Otherwise returns a message, and then each line that the contract lacks. */
const missingRows = (document: string): readonly string[] => {
  const lines = withGeneratedTables(document).split('\n');
  if (lines.join('\n') === document) return [];
  return ['stale: run npm run format', ...lines.filter((line) => !document.split('\n').includes(line))];
};

/**
 * Proves that contract 5.6, 12.1, 13.1, 22.6, 23.3, 30.1, 36.1 and 39.2 list what the code has.
 * Proves rows of contract 42.16 and 42.21.
 */
describe('the generated tables of the contract', () => {
  it('are those of the code', () => expect(missingRows(contract)).toEqual([]));

  it.each([
    ['GET /inventories', 'GET /inventory'],
    ['| 202 | K | `write:webhooks` |', '| 200 | K | `write:webhooks` |'],
    ['| `deletePet` | DELETE /pets/{id} | 204 | C | `write:pets` |', '| `deletePet` | DELETE /pets/{id} | 204 | C | none |'],
    ['none, strict: owner |', 'none |'],
    ['| `getPet` | GET /pets/{id} | 200 | | none |\n', ''],
    ['| `findPetsByTags` |', '| `findByTags` |'],
    ['| `pet.retired` | `petId, previousStatus, retired` |', '| `pet.retired` | `petId, retired` |'],
    ['`UsernameClaimed`, `UsernameFreed`', '`UsernameClaimed`'],
    ['| `color` | text | optional | up to 100 characters |', '| `color` | text | optional | up to 50 characters |'],
  ])('are reported as stale when the contract is changed at %s', (right, wrong) => {
    expect(contract).toContain(right);
    expect(missingRows(contract.replace(right, wrong))[0]).toBe('stale: run npm run format');
  });
});

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
