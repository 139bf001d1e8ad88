import { readAuditRecord } from '../../../../libs/audit/watch/audit-record.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { DistributedStore } from '../distributed/distributed.js';
import type { MetricSources } from './measure.js';
import { countStoredParkedStreams } from './parked-streams.js';

/** Returns the sources of measurements that every process of the distributed profile has. */
export const measuredServers = (opened: DistributedStore): MetricSources => ({
  ...opened,
  async head() {
    const missing = opened.logWatch.missingEvents();
    // The lags are then unknown. A checkpoint beyond the end of the log would otherwise count as no lag.
    if (missing !== null) throw new StoreUnavailable(missing);
    return opened.store.lastPosition();
  },
  readAudit: () => readAuditRecord(opened.documents),
  hasRelay: true,
  parkedStreams: countStoredParkedStreams(opened.database.projectionDocuments),
  pools: () => ({ mongodb: opened.database.pool() }),
});
