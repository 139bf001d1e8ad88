import { contracts, publicMessageMapper } from '../../libs/contracts/contracts.js';
import { followEndpoints } from '../../libs/deliveries/announce/endpoint-lookup.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import { startAndStop, runWhileLeader } from '../../libs/runtime/leases/run-while-leader.js';
import { startProjections, type ProjectionRoleParts } from '../../libs/runtime/projecting/projection-role.js';
import { startRelay, type RelayParts } from '../../libs/runtime/relay/relay.js';
import type { Profile, RunningRole } from './roles.js';

/** The ports of the roles that only the distributed profile needs. */
export type DistributedProfilePorts = Omit<ProjectionRoleParts, 'interval'> &
  Omit<RelayParts, 'interval' | 'messageOf' | 'documents' | 'batch'> & {
    readonly documents: Documents;
    /** The read models for projections, which read and write exactly the version that they pass. */
    readonly projectionDocuments: Documents;
  };

/**
 * The minimum time between the starts of two batches of the relay, in milliseconds. A Kafka transaction takes as long
 * for one message as for many, so the relay publishes more with fewer and larger batches.
 */
export const RELAY_INTERVAL = 40;

/**
 * The minimum time between the starts of two batches of a projection, in milliseconds. It is shorter than
 * that of the relay, because writes wait until the read model contains them (WRITE_WAIT).
 */
const PROJECTION_INTERVAL = 20;

/** Creates the roles of the distributed profile. Work that only one process may do runs under a lease. */
export const createDistributedProfile = (ports: DistributedProfilePorts): Profile => ({
  startProjections: () => startProjections({ ...ports, documents: ports.projectionDocuments, interval: PROJECTION_INTERVAL }),
  startRelay: () => startRelaying(ports),
  openEndpoints: () => followEndpoints(ports),
  runExclusively: (role, start) => runWhileLeader({ ...ports, name: role }, startAndStop(start)),
});

const startRelaying = (ports: DistributedProfilePorts): RunningRole => {
  const relay = startRelay({
    ...ports,
    documents: ports.projectionDocuments,
    messageOf: publicMessageMapper(contracts),
    interval: RELAY_INTERVAL,
  });
  return {
    positions() {
      const position = relay.position();
      return position === null ? {} : { relay: position };
    },
    blockedReason: () => relay.blockedReason(),
    stop: () => relay.stop(),
  };
};
