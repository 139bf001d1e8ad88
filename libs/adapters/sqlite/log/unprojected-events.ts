import { checkpointOf } from '../../../eventsourcing/ports/documents.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { tableNameOf } from '../documents/declared-sql.js';
import type { Database } from '../folder/database.js';
import type { CoveredStreams } from './missing-events.js';

const FOLLOWING = 'SELECT 1 FROM checkpoints WHERE name = ? AND following = 1';

/**
 * Returns a fault for each stream that has events after the revision of its document in a read model. The service updates
 * the read models in the transaction of an append, so another program has written these events. Skips parked streams and
 * read models that are still being filled, because their documents may lack events that the service has written.
 */
export const findUnprojectedEvents = (database: Database, { category, collection }: CoveredStreams): readonly HistoryFault[] => {
  const name = checkpointOf(collection);
  if (!database.statement(FOLLOWING).get(name)) return [];
  const rows = database
    .statement(
      `SELECT key, revision AS shown, (SELECT max(events.revision) FROM events WHERE events.stream = ?1 || key) AS recorded ` +
        `FROM ${tableNameOf(collection)} WHERE recorded > shown ` +
        `AND NOT EXISTS (SELECT 1 FROM parked_streams WHERE projection = ?2 AND stream = ?1 || key)`,
    )
    .all(`${category}-`, name);
  return rows.map((row): HistoryFault => {
    const [stream, revision] = [`${category}-${String(row['key'])}`, Number(row['shown']) + 1];
    const reason = `event ${revision} of ${stream} is in no read model: another program wrote this event`;
    return { stream, revision, kind: 'altered', reason, tenant: null };
  });
};
