import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppendResult } from '../../../eventsourcing/ports/event-store.port.js';
import {
  eventually,
  codec,
  event,
  openForTest,
  recordingLog,
  temporaryFolder,
  things,
  thingsProjector,
  type OpenForTest,
} from '../sqlite.fixtures.js';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { openDatabase } from '../folder/database.js';
import { migrate, STORE_MIGRATIONS } from '../folder/migrations.js';
import { CommitQueue } from '../commits/commit-queue.js';
import { openDocuments } from '../open-documents.js';
import { InlineProjections } from '../projections/inline-projections.js';
import { ParkedStreams } from '../projections/parked-streams.js';
import { LogWriter } from './log-writer.js';

const largeEvent = () => event('Made', { kind: 'cup', text: 'x'.repeat(20_000) });

describe('a log that cannot grow', () => {
  it('rejects appends, keeps earlier events, and accepts appends again when there is space', async () => {
    const database = openDatabase(':memory:', 'petstore.sqlite');
    migrate(database, STORE_MIGRATIONS);
    const writer = new LogWriter(database, new CommitQueue(database, null));
    database.connection.exec('PRAGMA max_page_count = 40');
    await writer.append('thing-1', 'none', [largeEvent()]);
    const refused = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => writer.append(`thing-${index + 2}`, 'none', [largeEvent()])),
    );
    expect(refused.map((result) => result.status === 'rejected' && (result.reason as Error).name)).toEqual(
      Array.from({ length: 10 }, () => 'StoreUnavailable'),
    );
    expect(writer.head()).toBe(1);
    database.connection.exec('PRAGMA max_page_count = 4000');
    expect(await writer.append('thing-2', 'none', [largeEvent()])).toEqual({ kind: 'appended', revision: 0, position: 2 });
    database.close();
  });

  it('rejects an append if there is no space for its documents, and does not park the stream', async () => {
    const database = openDatabase(':memory:', 'petstore.sqlite');
    migrate(database, STORE_MIGRATIONS);
    const queue = new CommitQueue(database, null);
    const writer = new LogWriter(database, queue);
    const log = recordingLog();
    const projector = thingsProjector();
    const { dependencies, documents, target } = openDocuments(
      { projectors: [projector], codec, clock: manualClock(), log },
      { database, queue, writer, searches: null },
    );
    writer.addParticipant(new InlineProjections(dependencies, target, () => []));
    const pages = Number(database.connection.prepare('PRAGMA page_count').get()?.['page_count']);
    database.connection.exec(`PRAGMA max_page_count = ${pages + 12}`);
    const wide = event('Made', { kind: 'x'.repeat(20_000) });
    await expect(writer.append('thing-1', 'none', [wide])).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect([writer.head(), dependencies.parked.all(), new ParkedStreams(database).all(), log.lines]).toEqual([0, [], [], []]);
    database.connection.exec('PRAGMA max_page_count = 4000');
    expect(await documents.count(things, {})).toBe(0);
    expect(await writer.append('thing-1', 'none', [wide])).toMatchObject({ kind: 'appended' });
    expect(await documents.count(things, {})).toBe(1);
    database.close();
  });
});

/** Mounts a disk of 4 MB. Returns false if this process is not allowed to mount one. */
const mountSmallDisk = (path: string): boolean => {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const probe = temporaryFolder();
const canMount = mountSmallDisk(probe.folder);
if (canMount) execFileSync('umount', [probe.folder]);
probe.remove();

(canMount ? describe : describe.skip)('a service on a full disk', () => {
  let disk: string;
  let remove: () => void;
  let store: OpenForTest;
  beforeEach(async () => {
    const { folder, remove: removeAll } = temporaryFolder();
    disk = folder;
    mountSmallDisk(disk);
    remove = () => {
      execFileSync('umount', [disk]);
      removeAll();
    };
    store = await openForTest(join(disk, 'data'), { projectors: [thingsProjector()] });
  });
  afterEach(async () => {
    await store.close();
    remove();
  });

  const filler = (): string => join(disk, 'filler');
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler(), Buffer.alloc(bavail * bsize));
  };
  const appendMany = (from: number, count: number): Promise<readonly PromiseSettledResult<AppendResult>[]> =>
    Promise.allSettled(Array.from({ length: count }, (_, index) => store.events.append(`thing-${from + index}`, 'none', [largeEvent()])));

  it('rejects appends with StoreUnavailable, loses no event, and accepts appends again when there is space', async () => {
    const before = await appendMany(0, 5);
    expect(before.every(({ status }) => status === 'fulfilled')).toBe(true);
    fill();
    const refused = await appendMany(100, 80);
    expect(refused.map((result) => result.status === 'rejected' && (result.reason as Error).name)).toEqual(
      refused.map(() => 'StoreUnavailable'),
    );
    // Reads still succeed.
    expect(await store.events.readAll(0, 100)).toHaveLength(5);
    expect(await store.documents.count(things, {})).toBe(5);
    rmSync(filler());
    const after = await appendMany(200, 5);
    expect(after.map((result) => result.status === 'fulfilled' && result.value.kind)).toEqual(after.map(() => 'appended'));
    expect((await store.events.readAll(0, 100)).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await store.documents.sum(things, {})).toEqual({ '': 10 });
    await store.close();
    store = await openForTest(join(disk, 'data'), { projectors: [thingsProjector()] });
    expect(store.head()).toBe(10);
    expect(store.parkedStreams()).toEqual([]);
  });

  it('accepts appends again after a checkpoint when the write-ahead log has filled the disk', async () => {
    const isRefused = (result: Promise<unknown>): Promise<boolean> =>
      result.then(
        () => false,
        () => true,
      );
    // While a reader is open, as during a backup, the write-ahead log cannot be truncated.
    const rewrite = (position: number) => store.documents.apply([], { name: 'things', position });
    await appendMany(0, 20);
    await store.close();
    store = await openForTest(join(disk, 'data'), { projectors: [thingsProjector()] });
    const reader = openDatabase(join(disk, 'data'), 'petstore.sqlite');
    reader.connection.exec('BEGIN; SELECT * FROM events');
    let position = 100;
    while (!(await isRefused(rewrite(++position))));
    const small = () => store.events.append('thing-new', 'none', [event('Made', { kind: 'cup' })]);
    await expect(small()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    reader.close();
    store.clock.advance(1_000);
    await eventually(async () => !(await isRefused(small())));
    expect(store.head()).toBe(21);
  });

  it('truncates the write-ahead log, so that repeated writes do not fill the disk', async () => {
    const wal = (): number => statSync(join(disk, 'data', 'petstore.sqlite-wal')).size;
    let position = 0;
    const rewrite = () => store.documents.apply([], { name: 'things', position: ++position });
    await appendMany(0, 1);
    for (let round = 0; round < 3; round++) {
      for (let write = 0; write < 200; write++) await rewrite();
      await eventually(() => rewrite().then(() => wal() < 200 * 4_096));
    }
  });

  it('retries checkpoints until there is space, even without further writes', async () => {
    const before = statSync(join(disk, 'data', 'petstore.sqlite')).size;
    await appendMany(0, 40);
    fill();
    store.clock.advance(5_000);
    await eventually(() => store.lines.some(({ message }) => message.includes('could not checkpoint')));
    rmSync(filler());
    store.clock.advance(1_000);
    await eventually(() => statSync(join(disk, 'data', 'petstore.sqlite')).size > before);
  });

  it('cannot open its store, and the error names the remedy', async () => {
    await store.close();
    fill();
    await expect(openForTest(join(disk, 'data'))).rejects.toMatchObject({
      message: expect.stringMatching(/Make room on its disk$/) as unknown,
    });
    rmSync(filler());
    store = await openForTest(join(disk, 'data'));
  });

  it('rejects requests for new keys until there is space', async () => {
    fill();
    const keys = Array.from({ length: 200 }, (_, index) => store.keys.personalKey(`person-${index}-${'x'.repeat(4_000)}`));
    const refused = await Promise.allSettled(keys);
    expect(new Set(refused.map((result) => result.status === 'rejected' && (result.reason as Error).name))).toEqual(
      new Set(['StoreUnavailable']),
    );
    rmSync(filler());
    expect(await store.keys.personalKey('person-1')).toHaveLength(32);
  });
});
