import { contracts, publicMessageMapper } from '../../libs/contracts/contracts.js';
import { startCounts, type CountsPorts } from '../../libs/audit/counts/message-counter.js';
import { followEndpoints } from '../../libs/deliveries/announce/endpoint-lookup.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import { startAndStop, runWhileLeader } from '../../libs/runtime/leases/run-while-leader.js';
import { startProjections, type ProjectionRoleDependencies } from '../../libs/runtime/projecting/projection-role.js';
import { startRelay, type RelayDependencies } from '../../libs/runtime/relay/relay.js';
import type { Profile, RunningRole } from './roles.js';

/** The ports that roles need only in the distributed profile. `RolePorts` has those that both profiles need. */
export type DistributedProfilePorts = Omit<ProjectionRoleDependencies, 'interval'> &
  CountsPorts &
  Omit<RelayDependencies, 'interval' | 'messageOf' | 'documents' | 'batch'> & {
    readonly documents: Documents;
    /** The read models for projections. Each call reads or writes exactly the projection version that the caller passes. */
    readonly projectionDocuments: Documents;
  };

/**
 * The minimum time between the starts of two batches of the relay, in milliseconds. A Kafka transaction takes as long
 * for one message as for many, so the relay publishes more messages per second in fewer and larger batches.
 */
export const RELAY_INTERVAL = 40;

/**
 * The minimum time between the starts of two batches of a projection, in milliseconds. It is shorter than RELAY_INTERVAL,
 * because the response to a write waits until the read model contains the write (WRITE_WAIT).
 */
const PROJECTION_INTERVAL = 20;

/** Creates the roles of the distributed profile. Work that only one process may do runs under a lease. */
export const createDistributedProfile = (ports: DistributedProfilePorts): Profile => ({
  startProjections: () => startProjections({ ...ports, documents: ports.projectionDocuments, interval: PROJECTION_INTERVAL }),
  startRelay: () => startRelaying(ports),
  startCounts: () => startCounts(ports),
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
