import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contracts, topicsOf } from '../../libs/contracts/contracts.js';
import { STREAM_PREFIXES } from '../../libs/domain/events.js';
import { ROOT } from '../servers/program.js';
import { collectionsOfBackup } from './collections-of-backup.js';

const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const namesIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Returns the text between two texts of a page. */
const between = (page: string, start: string, end: string): string => {
  const [, after] = page.split(start);
  if (after === undefined) throw new Error(`the page lacks: ${start}`);
  return after.slice(0, after.indexOf(end));
};

/** Returns the collections of MongoDB that a restore needs from a backup, as the table of the runbook names them. */
const collectionsToRestore = (runbook: string): readonly string[] =>
  runbook
    .split('\n')
    .map((line) => line.split(' | '))
    .filter(([server, , from]) => server?.startsWith('| MongoDB: `') && from?.startsWith('its backup'))
    .flatMap(([server = '']) => namesIn(server));

/** Returns the name by which the runbook names a collection: without the version, and `gateway_*` for the simulated gateway. */
const nameInRunbook = (collection: string): string => collection.replace(/_v\d+_\d+$/, '…').replace(/^gateway_.*/, 'gateway_*');

const RUNBOOK = read('deploy', 'runbook.md');

/** Proves contract 24.9. */
describe('a restore by the runbook', () => {
  it('includes every collection that the backup script reads, and no other', () =>
    expect(new Set(collectionsToRestore(RUNBOOK))).toEqual(new Set(collectionsOfBackup().map(nameInRunbook))));

  it('deletes every topic', () => expect(namesIn(between(RUNBOOK, "Delete the store's topics: ", '\n4.'))).toEqual(topicsOf(contracts)));
});

describe('docs/operations.md', () => {
  it('names the beginnings of all streams', () =>
    expect(namesIn(between(read('docs', 'operations.md'), 'Its names begin with ', '.\n'))).toEqual(STREAM_PREFIXES));
});
