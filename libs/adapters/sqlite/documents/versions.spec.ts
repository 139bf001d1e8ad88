import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { Projector } from '../../../eventsourcing/projection.js';
import type { SqliteStore } from '../open-sqlite.js';
import { append, decode, event, openForTest, temporaryFolder, things, thingsProjector, type OpenForTest } from '../sqlite.fixtures.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';

const second: Collection = { ...things, version: 2, fields: { ...things.fields, colour: 'text' }, cells: ['tenant'] };
const first = thingsProjector();
const next = thingsProjector({ collection: second });

/** Applies the log to a projector's documents, `limit` events at a time. */
const catchUp = async (
  { events, projectionDocuments: building }: Pick<SqliteStore, 'events' | 'projectionDocuments'>,
  projector = next,
  limit = 100,
  batches = Infinity,
): Promise<void> => {
  const name = `${projector.collection.name}_v${projector.collection.version}`;
  for (let batch = 0; batch < batches; batch++) {
    const stored = await events.readAll(await building.checkpoint(name), limit);
    const last = stored.at(-1);
    if (!last) return;
    const loaded = new Map(
      await Promise.all(
        stored.map(async ({ stream }) => [stream.slice(6), await building.get(projector.collection, stream.slice(6))] as const),
      ),
    );
    const { writes } = projector.project(
      stored.map(decode),
      (key) => loaded.get(key) ?? null,
      () => false,
    );
    await building.apply(writes, { name, position: last.position });
  }
};

describe('a new version of a read model', () => {
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  const made = (kind: string) => event('Made', { kind });
  const reopen = async (...projectors: readonly Projector[]): Promise<void> => {
    await store.close();
    store = await openForTest(folder, { projectors });
  };
  const tables = (): readonly unknown[] => {
    const file = new DatabaseSync(join(folder, 'petstore.sqlite'), { readOnly: true });
    const names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'things%' ORDER BY name").all();
    file.close();
    return names.map(({ name }) => name);
  };

  const indexes = (): readonly unknown[] => {
    const file = new DatabaseSync(join(folder, 'petstore.sqlite'), { readOnly: true });
    const names = file
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'things_v1' AND sql IS NOT NULL ORDER BY name")
      .all();
    file.close();
    return names.map(({ name }) => name);
  };

  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    store = await openForTest(folder, { projectors: [first] });
    for (let index = 0; index < 5; index++) await append(store, `thing-${index}`, made('cup'));
  });
  afterEach(async () => {
    await store.close();
    remove();
  });

  it('is not queried before it has reached the end of the log: queries read the old version', async () => {
    await reopen(next);
    expect(await store.documents.checkpoint('things_v2')).toBe(0);
    const fallback = await store.documents.get(second, '3');
    expect(fallback).toMatchObject({ json: '{"kind":"cup","revision":0}', fields: { tenant: 'shared', kind: 'cup', colour: null } });
    expect(await store.documents.count(second, { kind: 'cup' })).toBe(5);
    expect(await store.documents.texts(second, { where: {}, sort: ['-kind', 'key'], limit: 10, offset: 0 })).toHaveLength(5);
    expect(await store.documents.sum(second, { tenant: 'shared' })).toEqual({ '': 5 });
    await catchUp(store, next, 2, 1);
    expect(await store.documents.count(second, {})).toBe(5);
    await catchUp(store);
    expect(await store.documents.find(second, { where: { kind: 'cup' }, sort: [], limit: 10, offset: 0 })).toHaveLength(5);
  });

  it('is queried even before it is complete if the query needs a field that the old version lacks', async () => {
    await reopen(next);
    await catchUp(store, next, 2, 1);
    expect(await store.documents.count(second, { colour: null })).toBe(2);
  });

  it('leaves queries to the old version while it fills, and appends update the old version', async () => {
    const like: Collection = { ...things, version: 2 };
    const alike = thingsProjector({ collection: like });
    await reopen(alike);
    await append(store, 'thing-5', made('mug'));
    await append(store, 'thing-0', event('Changed', { kind: 'bowl' }));
    expect(await store.documents.get(like, '5')).toMatchObject({ json: '{"kind":"mug","revision":0}' });
    expect(await store.documents.find(like, { where: { kind: 'bowl' }, sort: [], limit: 10, offset: 0 })).toMatchObject([
      { key: '0', revision: 1 },
    ]);
    expect(await store.documents.count(like, {})).toBe(6);
    expect(await store.documents.sum(like, { tenant: 'shared' }, 'kind')).toEqual({ cup: 4, mug: 1, bowl: 1 });
    expect(await store.projectionDocuments.count(like, {})).toBe(0);
    await catchUp(store, alike, 4);
    expect(await store.documents.count(like, {})).toBe(6);
    expect(await store.documents.sum(like, { tenant: 'shared' }, 'kind')).toEqual({ cup: 4, mug: 1, bowl: 1 });
  });

  it('lets appends succeed when a write to the old version fails', async () => {
    await reopen(next);
    await append(store, 'thing-0', event('Poison', { kind: 'bowl' }));
    expect(await store.documents.get(second, '0')).toMatchObject({ revision: 0 });
    expect(store.lines).toMatchObject([
      { level: 'warn', fields: { projection: 'things_v1', stream: 'thing-0', reason: 'cannot take Poison' } },
    ]);
  });

  it('that is abandoned half-way after an append causes a rebuild of the old version', async () => {
    await reopen(next);
    await append(store, 'thing-5', made('mug'));
    await reopen(first);
    expect(await store.documents.count(things, {})).toBe(0);
    await catchUp(store, first);
    expect(await store.documents.count(things, {})).toBe(6);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 5, mug: 1 });
  });

  it('is updated by appends only after it is complete', async () => {
    await reopen(next);
    await append(store, 'thing-5', made('mug'));
    expect(await store.documents.checkpoint('things_v2')).toBe(0);
    await catchUp(store, next, 4);
    expect(await store.documents.checkpoint('things_v2')).toBe(store.head());
    await append(store, 'thing-6', made('mug'));
    expect(await store.documents.checkpoint('things_v2')).toBe(store.head());
    expect(await store.documents.count(second, { kind: 'mug' })).toBe(2);
    expect(await store.documents.sum(second, {})).toEqual({ '': 7 });
  });

  it('skips events that appends have already applied', async () => {
    await reopen(next);
    await catchUp(store);
    await append(store, 'thing-5', made('mug'));
    expect(await store.documents.apply([], { name: 'things_v2', position: 5 })).toBe(false);
  });

  it('is not read after a rollback and a new update until it has caught up again', async () => {
    await reopen(next);
    await catchUp(store);
    while (tables().length > 2) await yieldToEventLoop();
    await reopen(first);
    await catchUp(store, first);
    await append(store, 'thing-5', made('mug'));
    await reopen(next);
    expect(await store.documents.count(second, { kind: 'mug' })).toBe(1);
    await catchUp(store);
    while (tables().length > 2) await yieldToEventLoop();
    expect(await store.documents.count(second, { kind: 'mug' })).toBe(1);
  });

  it('drops the old version once it is complete', async () => {
    await reopen(next);
    expect(tables()).toEqual(['things_v1', 'things_v1_cells', 'things_v2', 'things_v2_cells']);
    await catchUp(store);
    while (tables().length > 2) await yieldToEventLoop();
    expect(tables()).toEqual(['things_v2', 'things_v2_cells']);
    expect(await store.documents.count(second, {})).toBe(5);
  });

  it('is replaced by the old version, which is then rebuilt, when the software is rolled back', async () => {
    await reopen(next);
    await catchUp(store);
    while (tables().length > 2) await yieldToEventLoop();
    await reopen(first);
    expect(await store.documents.checkpoint('things_v1')).toBe(0);
    await catchUp(store, first);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 5 });
    // The version stays, although a newer one was in service before.
    await append(store, 'thing-6', made('mug'));
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 5, mug: 1 });
    await reopen(first);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 5, mug: 1 });
  });

  it('continues to fill after a restart, and continues to drop the old version after another restart', async () => {
    await reopen(next);
    await catchUp(store, next, 2, 1);
    await reopen(next);
    expect(await store.documents.checkpoint('things_v2')).toBe(2);
    await catchUp(store);
    await reopen(next);
    while (tables().length > 2) await yieldToEventLoop();
    expect(await store.documents.count(second, {})).toBe(5);
  });

  it('lags while a process without its projection runs, and catches up later', async () => {
    await reopen();
    await append(store, 'thing-5', made('mug'));
    await reopen(first);
    expect(await store.documents.checkpoint('things_v1')).toBe(5);
    await append(store, 'thing-6', made('mug'));
    expect(await store.documents.count(things, {})).toBe(5);
    await catchUp(store, first);
    expect(await store.documents.count(things, {})).toBe(7);
    await append(store, 'thing-7', made('mug'));
    expect(await store.documents.count(things, {})).toBe(8);
  });

  it('is required when the fields of a read model have changed', async () => {
    await store.close();
    const changed = { ...things, fields: { ...things.fields, colour: 'text' } } as const;
    await expect(openForTest(folder, { projectors: [thingsProjector({ collection: changed })] })).rejects.toMatchObject({
      refusal: 'shape_changed',
      message: expect.stringContaining('things'),
    });
    store = await openForTest(folder, { projectors: [first] });
  });

  it('is not required when only indexes change: the store creates and drops them', async () => {
    await reopen(thingsProjector({ collection: { ...things, indexes: [['kind'], ['-kind', 'tenant']] } }));
    expect(indexes()).toEqual(['things_v1_by_kind', 'things_v1_by_kind_down_tenant']);
    expect(await store.documents.count(things, { kind: 'cup' })).toBe(5);
  });

  it('that starts after an interrupted rebuild creates its indexes again', async () => {
    await store.documents.clear(things);
    await catchUp(store, first, 2, 1);
    await reopen(first);
    expect(indexes()).toHaveLength(1);
    await catchUp(store, first);
    expect(await store.documents.count(things, { kind: 'cup' })).toBe(5);
  });

  it('can be rebuilt in place, and creates its indexes last', async () => {
    expect(indexes()).toHaveLength(1);
    await store.documents.clear(things);
    expect(indexes()).toEqual([]);
    expect(await store.documents.checkpoint('things_v1')).toBe(0);
    expect(await store.documents.count(things, {})).toBe(0);
    await append(store, 'thing-5', made('mug'));
    await catchUp(store, first, 2);
    expect(indexes()).toHaveLength(1);
    await append(store, 'thing-6', made('mug'));
    expect(await store.documents.count(things, {})).toBe(7);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 5, mug: 2 });
  });
});
