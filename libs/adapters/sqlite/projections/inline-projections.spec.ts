import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import { NO_FAULTS } from '../../../eventsourcing/history.js';
import { NO_CHANGES } from '../../../eventsourcing/projecting.js';
import type { Projector } from '../../../eventsourcing/projection.js';
import { append, event, openForTest, temporaryFolder, things, thingsProjector, type OpenForTest } from '../sqlite.fixtures.js';

describe('a projection that has caught up', () => {
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  let poison: Set<string>;
  let projector: Projector;
  const errors = (): readonly unknown[] => store.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields);
  const shown = async (key: string): Promise<unknown> => JSON.parse((await store.documents.get(things, key))?.json ?? 'null');
  const made = event.bind(null, 'Made', { kind: 'cup' });

  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    poison = new Set(['Poison']);
    projector = thingsProjector({ poison });
    store = await openForTest(folder, { projectors: [projector] });
  });
  afterEach(async () => {
    await store.close();
    remove();
  });

  it('applies an event before its append returns', async () => {
    await store.events.append('thing-1', 'none', [made()]);
    expect(await shown('1')).toEqual({ kind: 'cup', revision: 0 });
    expect(await store.documents.sum(things, { tenant: 'shared' }, 'kind')).toEqual({ cup: 1 });
    expect(await store.documents.checkpoint('things_v1')).toBe(1);
  });

  it('is not changed by a batch of events that appends have applied since the batch was computed', async () => {
    await append(store, 'thing-1', made());
    const cup = { key: '1', json: '{"kind":"cup","revision":0}', revision: 0, fields: { tenant: 'shared', kind: 'cup' } };
    const writes: readonly DocumentWrite[] = [
      { kind: 'put', collection: things, document: cup },
      { kind: 'increment', collection: things, cell: ['shared', 'cup'], by: 1 },
    ];
    await store.target.store([{ ...NO_CHANGES, collection: things, writes, reached: { position: 1 } }]);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 1 });
    await append(store, 'thing-2', made());
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 2 });
  });

  it('does not apply an append that is rejected with a conflict', async () => {
    await Promise.all([
      store.events.append('thing-1', 'none', [made()]),
      store.events.append('thing-1', 'none', [event('Made', { kind: 'mug' })]),
    ]);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 1 });
  });

  it('reads earlier writes of the same commit', async () => {
    await Promise.all([
      store.events.append('thing-1', 'none', [made()]),
      store.events.append('thing-1', 0, [event('Changed', { kind: 'mug' })]),
      store.events.append('other-1', 'none', [event('Made', { kind: 'of another category' })]),
    ]);
    expect(await shown('1')).toEqual({ kind: 'mug', revision: 1 });
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ mug: 1 });
  });

  it.each([
    ['throws on', 'Poison', { kind: 'x' }, 'cannot take Poison'],
    ['returns an invalid write for', 'Unwritable', { kind: 'x' }, expect.stringContaining('NOT NULL')],
    ['cannot decode', 'Unreadable', { kind: 'x' }, 'cannot decode this'],
  ])('parks the stream if it %s an event; the append succeeds, and other streams are projected', async (_, type, data, reason) => {
    await append(store, 'thing-1', made());
    const results = await Promise.all([
      store.events.append('thing-2', 'none', [made()]),
      store.events.append('thing-1', 0, [event(type, data)]),
      store.events.append('thing-3', 'none', [made()]),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended', 'appended']);
    await append(store, 'thing-1', event('Changed', { kind: 'mug' }));
    expect(await Promise.all(['1', '2', '3'].map(shown))).toEqual([
      { kind: 'cup', revision: 0 },
      { kind: 'cup', revision: 0 },
      { kind: 'cup', revision: 0 },
    ]);
    expect(store.parkedStreams()).toEqual([{ projection: 'things_v1', stream: 'thing-1', revision: 1, position: 3, reason }]);
    expect(errors()).toEqual([{ projection: 'things_v1', stream: 'thing-1', revision: 1, position: 3, reason }]);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ cup: 3 });
  });

  it('logs a parked stream once', async () => {
    await append(store, 'thing-1', event('Unreadable'));
    await append(store, 'thing-1', event('Unreadable'));
    expect(store.parkedStreams()).toMatchObject([{ stream: 'thing-1', revision: 0 }]);
    expect(errors()).toHaveLength(1);
  });

  it('applies the waiting events of a parked stream in order after the fault is fixed', async () => {
    await append(store, 'thing-1', made(), event('Poison', { kind: 'mug' }), event('Changed', { kind: 'bowl' }));
    expect(await store.retryParkedStreams(NO_FAULTS)).toHaveLength(0);
    expect(await shown('1')).toEqual({ kind: 'cup', revision: 0 });
    poison.clear();
    expect(await store.retryParkedStreams(NO_FAULTS)).toHaveLength(1);
    expect(store.parkedStreams()).toEqual([]);
    expect(await shown('1')).toEqual({ kind: 'bowl', revision: 2 });
    await append(store, 'thing-1', event('Changed', { kind: 'plate' }));
    expect(await shown('1')).toEqual({ kind: 'plate', revision: 3 });
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ plate: 1 });
  });

  it('applies the events of a parked stream up to its second fault when only the first one is fixed', async () => {
    poison.add('Worse');
    await append(store, 'thing-1', event('Poison', { kind: 'mug' }), event('Worse', { kind: 'bowl' }), event('Changed', { kind: 'plate' }));
    poison.delete('Poison');
    expect(await store.retryParkedStreams(NO_FAULTS)).toHaveLength(0);
    expect(await shown('1')).toEqual({ kind: 'mug', revision: 0 });
    expect(store.parkedStreams()).toMatchObject([{ stream: 'thing-1', revision: 1, reason: 'cannot take Worse' }]);
  });

  it('keeps parked streams after a restart', async () => {
    await append(store, 'thing-1', event('Poison', { kind: 'mug' }));
    await store.close();
    store = await openForTest(folder, { projectors: [thingsProjector({ poison: new Set() })] });
    await append(store, 'thing-1', event('Changed', { kind: 'bowl' }));
    expect(await shown('1')).toBeNull();
    expect(await store.retryParkedStreams(NO_FAULTS)).toHaveLength(1);
    expect(await shown('1')).toEqual({ kind: 'bowl', revision: 1 });
  });

  it('retries a parked stream only up to the position that the projection has reached', async () => {
    await store.close();
    store = await openForTest(folder);
    await append(store, 'thing-1', made(), event('Changed', { kind: 'mug' }));
    await store.close();
    const late = thingsProjector({ collection: { ...things, name: 'late' } });
    store = await openForTest(folder, { projectors: [late] });
    const { collection } = late;
    const parked = [{ stream: 'thing-1', revision: 1, position: 2, reason: 'why not' }];
    await store.target.store([{ ...NO_CHANGES, collection, parked, reached: null }]);
    expect(store.target.isParked(collection, 'thing-1')).toBe(true);
    // The projection's position is still 0, as if the process had crashed before storing it. Catching up reads the stream again.
    expect(await store.retryParkedStreams(NO_FAULTS)).toHaveLength(1);
    expect(await store.documents.get(late.collection, '1')).toBeNull();
  });
});
