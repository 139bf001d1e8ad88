import type { ReadCodec } from '../../../eventsourcing/event-codec.js';
import type { Projector } from '../../../eventsourcing/projection.js';
import type { Checkpoints } from '../documents/checkpoints.js';
import type { Collections } from '../documents/collections.js';
import type { CommitQueue } from '../commits/commit-queue.js';
import type { DocumentTables } from '../documents/document-tables.js';
import type { Database } from '../folder/database.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { ParkedStreams } from './parked-streams.js';

/** The dependencies of projections. */
export type ProjectionDependencies = {
  readonly database: Database;
  readonly queue: Pick<CommitQueue, 'write'>;
  readonly tables: DocumentTables;
  readonly checkpoints: Checkpoints;
  readonly collections: Collections;
  readonly parked: ParkedStreams;
  readonly projectors: readonly Projector[];
  readonly codec: ReadCodec;
  readonly log: Log;
};
