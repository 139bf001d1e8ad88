import { dirname } from 'node:path';
import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { intoVersion } from '../../../eventsourcing/projecting.js';
import type { Projector } from '../../../eventsourcing/projection.js';
import { sqlOf, tableNameOf } from '../documents/declared-sql.js';
import { findStreamsLostSince } from '../log/missing-events.js';
import { PRAGMAS, type Database } from '../folder/database.js';
import type { ProjectionDependencies } from './projection-dependencies.js';

/** A rebuild fills new read models, which replace the current ones when they are complete. */
export type Rebuild = {
  /** The projectors of the new read models. The caller projects the whole log with them, then calls `finishRebuild`. */
  readonly projectors: readonly Projector[];
  /** Returns a fault for each stream of which a current read model shows more events than the log has. Call it after the filling. */
  readonly findMissingStreams: () => readonly HistoryFault[];
  /** Replaces the current read models with the new ones in one transaction. */
  readonly finishRebuild: () => void;
  /** Drops the new read models. The current ones stay. */
  readonly discardRebuild: () => void;
};

/** Starts a rebuild, or resumes an interrupted one. */
export const startRebuild = (dependencies: ProjectionDependencies): Rebuild => {
  const { database, collections } = dependencies;
  const pairs = dependencies.projectors.map((projector) => ({ projector, next: nextProjectorOf(projector) }));
  database.transaction(() => pairs.forEach(({ next }) => collections.prepare(next.collection)));
  for (const { next } of pairs) collections.addEntry(next.collection);
  return {
    projectors: pairs.map(({ next }) => next),
    findMissingStreams: () => pairs.flatMap(({ projector, next }) => findStreamsLostSince(database, projector, next.collection)),
    finishRebuild: () =>
      finish(
        dependencies,
        pairs.map(({ projector, next }) => [projector.collection, next.collection] as const),
      ),
    discardRebuild: () =>
      discard(
        dependencies,
        pairs.map(({ next }) => next.collection),
      ),
  };
};

/**
 * Returns the projector of a new read model. While the read model is filled, it has no indexes, which is faster. `finish`
 * creates them.
 */
const nextProjectorOf = (projector: Projector): Projector =>
  intoVersion(projector, { ...projector.collection, name: `${projector.collection.name}_next`, indexes: [] });

type Pair = readonly [current: Collection, next: Collection];

const finish = (dependencies: ProjectionDependencies, pairs: readonly Pair[]): void => {
  const { database, checkpoints, collections, parked, tables } = dependencies;
  withFastBuild(database, () => {
    for (const [current, next] of pairs) {
      replaceTables(dependencies, current, next);
      collections.createIndexes(current);
      checkpoints.store(tableNameOf(current), checkpoints.position(tableNameOf(next)));
      checkpoints.delete(tableNameOf(next));
      parked.moveRows(tableNameOf(next), tableNameOf(current));
      collections.storeDeletion(next);
      collections.storeInService(current, true);
    }
  });
  for (const [current, next] of pairs) {
    checkpoints.setInline(tableNameOf(current), true);
    parked.moveCached(tableNameOf(next), tableNameOf(current));
    collections.removeEntries(next);
    collections.setInService(current, true);
    tables.onReplaced(current);
  }
};

/**
 * Runs a transaction that drops tables and creates indexes. The rows of the dropped tables need not be overwritten, because the
 * new tables have the same. The indexes are sorted in temporary files, by two threads, so that memory is bounded. The files
 * contain fields, which are never personal, and SQLite deletes their names when it creates them.
 */
const withFastBuild = (database: Database, work: () => void): void => {
  const { connection } = database;
  const cache = Number(connection.prepare('PRAGMA cache_size').get()?.['cache_size']);
  const path = connection.location();
  // The folder of the store has space for the indexes, and the folder for temporary files may not.
  if (path !== null) process.env['SQLITE_TMPDIR'] ??= dirname(path);
  connection.exec('PRAGMA secure_delete = FAST; PRAGMA temp_store = FILE; PRAGMA threads = 1; PRAGMA cache_size = -16384');
  try {
    database.transaction(work);
  } finally {
    connection.exec(`${PRAGMAS}; PRAGMA threads = 0; PRAGMA cache_size = ${cache}`);
  }
};

const replaceTables = ({ database }: ProjectionDependencies, current: Collection, next: Collection): void => {
  const [to, from] = [sqlOf(current), sqlOf(next)];
  for (const sql of to.drop) database.connection.exec(sql);
  database.connection.exec(`ALTER TABLE ${from.table} RENAME TO ${to.table}`);
  if (current.cells.length > 0) database.connection.exec(`ALTER TABLE ${from.cells} RENAME TO ${to.cells}`);
};

const discard = (dependencies: ProjectionDependencies, nexts: readonly Collection[]): void => {
  const { database, checkpoints, collections, parked } = dependencies;
  database.transaction(() => {
    for (const next of nexts) {
      for (const sql of sqlOf(next).drop) database.connection.exec(sql);
      checkpoints.delete(tableNameOf(next));
      parked.deleteRows(tableNameOf(next));
      collections.storeDeletion(next);
    }
  });
  for (const next of nexts) {
    parked.uncacheAll(tableNameOf(next));
    collections.removeEntries(next);
  }
};
