import { makeToken } from '../../../apps/petstore/commands/token.command.js';
import { parseSettings } from '../../../libs/settings/settings.js';
import { eventually } from '../../eventually.js';
import { startCluster, type Cluster, type ClusterOptions } from '../../servers/cluster.js';
import { STAFF_SCOPES } from '../../servers/process.js';
import { ServerMissing } from '../../servers/services/real-server.js';
import type { Missing } from '../../servers/services/shared.js';
import { openMarket, type Market } from '../shoppers.js';
import { Witness } from '../request-recorder.js';
import { audit, type AuditReport } from './audit.js';
import { startClusterLoad, type ClusterLoad } from './load.js';

/** "two api, two workers": every role has a standby. */
const ROLES = 'projections,relay,consumers,timers';
const SHOPPERS = 8;
const A_DAY = 86_400;
/** A lease that nobody extends ends after 5 s, a group misses a member after 6; servers start again within seconds. */
const GOES_ON_WITHIN = 60_000;

/** Two apis and two workers on real servers, or what this machine lacks. "With CI=true nothing may be missing." */
export const twoOfEach = async (options: Partial<ClusterOptions> = {}): Promise<Cluster | Missing> => {
  try {
    return await startCluster({ apis: 2, workers: [ROLES, ROLES], settings: { LOG_LEVEL: 'warn' }, ...options });
  } catch (error) {
    if (!(error instanceof ServerMissing) || process.env['CI'] === 'true') throw error;
    return { missing: error.message };
  }
};

/** A cluster with all that was ever asked of it: what one journey was promised, the next one must find. */
export type Shop = { readonly cluster: Cluster; readonly token: string; readonly witness: Witness; readonly market: Market };

/** Opens a cluster to shoppers. Some pay with the card that takes its time. */
export const openShop = async (cluster: Cluster): Promise<Shop> => {
  const token = await makeToken(parseSettings(cluster.settings), { scope: STAFF_SCOPES, subject: 'staff', expiresIn: A_DAY });
  return { cluster, token, witness: new Witness(), market: openMarket(true) };
};

/** Shoppers at work, while something befalls the cluster. */
type Journey = {
  readonly load: ClusterLoad;
  /** Waits until so many more deeds were answered: the store goes on. */
  answers(count: number): Promise<void>;
  /** Sends the shoppers home and looks at everything. */
  end(): Promise<AuditReport>;
};

/** Lets shoppers loose. */
export const beginJourney = ({ cluster, ...shop }: Shop, seed: number): Journey => {
  const load = startClusterLoad({ ...shop, urls: cluster.apis.map(({ url }) => url), shoppers: SHOPPERS, seed });
  return {
    load,
    async answers(count) {
      const wanted = load.met().answered + count;
      await eventually(`${count} more answers`, () => load.met().answered >= wanted, GOES_ON_WITHIN);
    },
    async end() {
      await load.stop();
      return audit(cluster, { ...shop, repeated: load.repeated });
    },
  };
};
