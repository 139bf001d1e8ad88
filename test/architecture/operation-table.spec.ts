import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { STAFF } from '../../apps/api/http/admission/access.js';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import { OPERATIONS } from '../../apps/api/operations.js';
import { ROOT } from '../servers/program.js';

type Operations = typeof OPERATIONS;

const { API_GUIDE, withOperationTable } = (await import(join(ROOT, 'scripts/operations.mjs'))) as {
  readonly API_GUIDE: string;
  readonly withOperationTable: (document: string, operations: Operations, staff: typeof STAFF) => string;
};

const guide = readFileSync(join(ROOT, API_GUIDE), 'utf8');

/** Returns an empty list for a current document. Otherwise returns a message, and then each line that the document lacks. */
const missingRows = (document: string, operations: Operations): readonly string[] => {
  const lines = withOperationTable(document, operations, STAFF).split('\n');
  if (lines.join('\n') === document) return [];
  return ['stale: run npm run format', ...lines.filter((line) => !document.includes(line))];
};

const changed = (id: string, changes: Partial<OperationRecord>): Operations => ({
  ...OPERATIONS,
  [id]: { ...OPERATIONS[id], ...changes },
});

describe('the table of operations in docs/api.md', () => {
  it('has a row for every operation, with the access of its record', () => expect(missingRows(guide, OPERATIONS)).toEqual([]));

  it.each<[string, Partial<OperationRecord>, string]>([
    ['another scope', { access: { documented: { scope: 'ops' }, strict: { scope: 'ops' } } }, '| `ops` | `ops` | all | its own |'],
    ['another owner', { access: { documented: 'nothing', strict: 'owner' } }, '| nothing | a token | all; `strict`: own orders, or'],
    [
      'no clients',
      { access: { documented: 'account', strict: 'account' }, notForClients: true },
      '| a token that no client has | a token that no client has |',
    ],
    ['another tenant rule', { wholeStore: true }, '| whole store; no bound token |'],
    ['another address', { path: '/v1/animals' }, '| POST /v1/animals |'],
  ])('is reported as stale after a change of a record to %s', (_, changes, cells) => {
    expect(missingRows(guide, changed('createPet', changes))).toEqual([
      'stale: run npm run format',
      expect.stringMatching(/^\| `createPet` \| /),
    ]);
    expect(missingRows(guide, changed('createPet', changes))[1]).toContain(cells);
  });

  it('is reported as stale without the row of an operation', () => {
    expect(missingRows(guide.replace(/^\| `getPet` .*\n/m, ''), OPERATIONS)).toContainEqual(expect.stringMatching(/^\| `getPet` /));
  });
});
