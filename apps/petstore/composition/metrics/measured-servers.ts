import { readAuditRecord } from '../../../../libs/audit/watch/audit-record.js';
import type { DistributedStore } from '../distributed/distributed.js';
import type { MetricSources } from './measure.js';
import { countStoredParkedStreams } from './parked-streams.js';

/** Returns the sources of measurements that every process of the distributed profile has. */
export const measuredServers = (opened: DistributedStore): MetricSources => ({
  ...opened,
  head: () => opened.store.lastPosition(),
  readAudit: () => readAuditRecord(opened.documents),
  hasRelay: true,
  parkedStreams: countStoredParkedStreams(opened.database.projectionDocuments),
  pools: () => ({ mongodb: opened.database.pool() }),
});
