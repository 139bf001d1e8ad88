import { makeToken } from '../../../apps/petstore/commands/token.command.js';
import { parseSettings } from '../../../libs/settings/settings.js';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import { startCluster, type Cluster, type ClusterOptions } from '../../servers/cluster.js';
import { STAFF_SCOPES } from '../../servers/process.js';
import { ServerMissing } from '../../servers/services/real-server.js';
import type { Missing } from '../../servers/services/shared.js';
import { createSharedState, type SharedState } from '../shoppers.js';
import { RequestRecorder } from '../request-recorder.js';
import { audit, type AuditReport } from './audit.js';
import { startClusterLoad, type ClusterLoad } from './load.js';

/** The roles of both workers. Each worker has all of them, so that every role has a standby. */
const ROLES = 'projections,relay,consumers,timers';
const SHOPPERS = 8;
const A_DAY = 86_400;

/**
 * Starts a cluster on real servers: two APIs and two workers, unless the options say otherwise. If a server is
 * missing, returns the reason. If CI=true is set, rejects instead.
 */
export const startClusterIfAvailable = async (options: Partial<ClusterOptions> = {}): Promise<Cluster | Missing> => {
  try {
    return await startCluster({ apis: 2, workers: [ROLES, ROLES], settings: { LOG_LEVEL: 'warn' }, ...options });
  } catch (error) {
    if (!(error instanceof ServerMissing) || process.env['CI'] === 'true') throw error;
    return { missing: error.message };
  }
};

/** A cluster and the records of all requests to it. Each journey also checks the changes of earlier journeys. */
export type ClusterSession = {
  readonly cluster: Cluster;
  readonly token: string;
  readonly recorder: RequestRecorder;
  readonly shared: SharedState;
};

/** Opens a session on a cluster. Some shoppers pay with a slow card. */
export const openSession = async (cluster: Cluster): Promise<ClusterSession> => {
  const token = await makeToken(parseSettings(cluster.settings), { scope: STAFF_SCOPES, subject: 'staff', expiresIn: A_DAY });
  return { cluster, token, recorder: new RequestRecorder(), shared: createSharedState(true) };
};

/** A load on a cluster, during which parts of the cluster fail. */
type Journey = {
  readonly load: ClusterLoad;
  /** Waits until `count` more requests have a response. */
  waitForResponses(count: number): Promise<void>;
  /** Stops the load and audits the cluster. */
  end(): Promise<AuditReport>;
};

/** Starts a load on the APIs of a cluster. */
export const startJourney = ({ cluster, ...session }: ClusterSession, seed: number): Journey => {
  const load = startClusterLoad({ ...session, calls: cluster.apis.map(({ url }) => caller(url, session.token)), shoppers: SHOPPERS, seed });
  return {
    load,
    async waitForResponses(count) {
      const wanted = load.counts().answered + count;
      await eventually(`${count} more responses`, () => load.counts().answered >= wanted);
    },
    async end() {
      await load.stop();
      return audit(cluster, { ...session, repeated: load.repeated });
    },
  };
};
