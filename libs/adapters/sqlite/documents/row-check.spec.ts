import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Collection, DocumentQuery } from '../../../eventsourcing/ports/documents.port.js';
import { append, event, openForTest, temporaryFolder, things, thingsProjector, type OpenForTest } from '../sqlite.fixtures.js';
import { checkOf } from './row-checksum.js';

const ALL: DocumentQuery = { where: { tenant: 'shared' }, sort: ['kind'], limit: 10, offset: 0 };
const counted: Collection = { name: 'counted', version: 1, fields: { number: 'integer', text: 'text' }, indexes: [], cells: [] };
/** A lone surrogate. SQLite stores a replacement character instead. */
const HALF = String.fromCharCode(0xd800);
const projector = thingsProjector();

describe('a row of a read model', () => {
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  const change = async (sql: string): Promise<void> => {
    await store.close();
    const file = new DatabaseSync(join(folder, 'petstore.sqlite'));
    file.exec(sql);
    file.close();
    store = await openForTest(folder, { projectors: [projector] });
  };
  const checks = (): readonly unknown[] => {
    const file = new DatabaseSync(join(folder, 'petstore.sqlite'), { readOnly: true });
    const rows = file.prepare('SELECT crc IS NOT NULL AS has FROM things_v1 ORDER BY key').all();
    file.close();
    return rows.map(({ has }) => has);
  };
  const refusal = {
    name: 'StoreUnavailable',
    message: 'the row "1" of things_v1 in petstore.sqlite is damaged: stop the service and run `petstore projections rebuild`',
  };

  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    store = await openForTest(folder, { projectors: [projector] });
    for (const key of ['0', '1', '2']) await append(store, `thing-${key}`, event('Made', { kind: 'cup' }));
  });
  afterEach(async () => {
    await store.close();
    remove();
  });

  it.each([
    ['a changed letter in its JSON', "json = replace(json, 'cup', 'cuq')"],
    ['invalid JSON', "json = replace(json, '}', '|')"],
    ['a changed field', "kind = 'cuq'"],
    ['a field set to null', 'kind = NULL'],
    ['a changed revision', 'revision = 1'],
    ['a revision beyond 2^53', 'revision = 9007199254740993'],
    ['a changed check value', 'crc = crc + 1'],
  ])('that is damaged by %s is not returned', async (_, assignment) => {
    await change(`UPDATE things_v1 SET ${assignment} WHERE key = '1'`);
    await expect(store.documents.get(things, '1')).rejects.toMatchObject(refusal);
    await expect(store.documents.find(things, ALL)).rejects.toMatchObject(refusal);
    await expect(store.documents.texts(things, ALL)).rejects.toMatchObject(refusal);
    expect(await store.documents.get(things, '0')).toMatchObject({ json: '{"kind":"cup","revision":0}' });
  });

  it('that is damaged parks only its own stream, and the other appends of the commit succeed', async () => {
    await change("UPDATE things_v1 SET kind = 'cuq' WHERE key = '1'");
    const changed = () => event('Changed', { kind: 'mug' });
    const results = await Promise.all(['1', '2'].map((key) => store.events.append(`thing-${key}`, 0, [changed()])));
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended']);
    expect(store.parkedStreams()).toMatchObject([{ stream: 'thing-1', reason: refusal.message }]);
    expect(await store.documents.get(things, '2')).toMatchObject({ json: '{"kind":"mug","revision":1}' });
  });

  it('with a damaged revision is not reported as a missing event', async () => {
    await change("UPDATE things_v1 SET revision = 9007199254740993 WHERE key = '1'; UPDATE things_v1 SET revision = 7 WHERE key = '2'");
    expect(store.findMissingStreams({ category: 'thing', collection: things }, 0, 10)).toEqual({ faults: [], next: null });
  });

  it('of an earlier version is returned without a check, until it is written again', async () => {
    await change(
      'ALTER TABLE things_v1 DROP COLUMN crc; ALTER TABLE work DROP COLUMN wait; ALTER TABLE work DROP COLUMN retries; PRAGMA user_version = 3',
    );
    expect(await store.documents.find(things, ALL)).toHaveLength(3);
    expect(checks()).toEqual([0, 0, 0]);
    await append(store, 'thing-1', event('Changed', { kind: 'mug' }));
    expect(checks()).toEqual([0, 1, 0]);
    await change("UPDATE things_v1 SET kind = 'cuq' WHERE key = '1'");
    await expect(store.documents.get(things, '1')).rejects.toMatchObject(refusal);
  });

  it('that is not damaged passes the check with any content', async () => {
    const fields = [
      { number: null, text: null },
      { number: -0, text: '' },
      { number: Number.MAX_SAFE_INTEGER, text: 'a\0b\n\ud83d\ude00' + HALF },
      { number: Number.MIN_SAFE_INTEGER, text: '1' },
    ];
    await store.documents.prepare(counted);
    for (const [index, each] of fields.entries())
      await store.documents.apply([
        {
          kind: 'put',
          collection: counted,
          document: { key: `é\n${index}`, json: `{"a":"${HALF}\ud83d\ude00"}`, fields: each, revision: index },
        },
      ]);
    expect(await store.documents.find(counted, { where: {}, sort: [], limit: 10, offset: 0 })).toHaveLength(fields.length);
  });

  it('has the same check value as in earlier versions of the software', () => {
    const fields = { text: 'a', number: 1 };
    expect(checkOf(['text', 'number', 'none'], { key: 'k', json: '{}', revision: 2, fields })).toBe(3_382_780_336);
  });

  it('that is damaged in a table without a projection is reported with a backup as the remedy', async () => {
    await store.documents.prepare(counted);
    const document = { key: 'a', json: '{}', fields: { number: 1, text: 'a' }, revision: 0 };
    await store.documents.apply([{ kind: 'put', collection: counted, document }]);
    await change('UPDATE counted_v1 SET number = 2');
    await expect(store.documents.get(counted, 'a')).rejects.toThrow(/the row "a" of counted_v1 .* restore a backup/);
  });
});
