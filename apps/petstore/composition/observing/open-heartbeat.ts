import { hostname } from 'node:os';
import { Heartbeat, type HeartbeatOptions } from '../../../../libs/application/operations/processes.js';
import type { ProcessSamples } from '../../../../libs/application/operations/process-samples.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';
import type { Metrics } from '../../../../libs/ports/metrics.port.js';
import { VERSION } from '../../../api/installed.js';
import type { Log } from '../../logging/log.js';

type Parts = Pick<HeartbeatOptions, 'report' | 'documents'> & {
  /** `api`, and the background roles of this process. */
  readonly roles: readonly string[];
  readonly samples: ProcessSamples;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Returns the age in seconds of the first event that the slowest reader of the log lacks. Null if it is unknown. */
  readonly lag: () => Promise<number | null>;
};

/** Creates the heartbeat of this process (contract 43.12). The process starts it when it serves, and stops it before it closes the store. */
export const openHeartbeat = ({ roles, samples, clock, ids, log, lag, ...parts }: Parts): Heartbeat =>
  new Heartbeat({
    ...parts,
    samples,
    clock,
    identity: { id: ids.next(), host: hostname(), pid: process.pid, roles, version: VERSION, startedAt: clock.now().toISOString() },
    async usage() {
      const { user, system } = process.cpuUsage();
      return { lag: await lag().catch(() => null), cpuMicroseconds: user + system, memoryBytes: process.memoryUsage.rss() };
    },
    onError: (error) => log.warn({ err: error }, 'a heartbeat could not be written; the next follows in ten seconds'),
  });

/** Returns the largest of these ages, or null if none is known. */
export const largestLag = (seconds: Iterable<number | null>): number | null => {
  const known = [...seconds].filter((age) => age !== null);
  return known.length > 0 ? Math.max(...known) : null;
};

/** Counts in the samples what the metrics count, and passes it on if metrics are on. */
export const countedIn = (samples: ProcessSamples, metrics: Metrics | undefined): Pick<Metrics, 'requestServed' | 'deliveryAttempted'> =>
  metrics
    ? {
        requestServed(request) {
          samples.requestServed(request);
          metrics.requestServed(request);
        },
        deliveryAttempted(target, outcome) {
          samples.deliveryAttempted(target, outcome);
          metrics.deliveryAttempted(target, outcome);
        },
      }
    : samples;
