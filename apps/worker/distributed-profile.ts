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
    /** All versions of a read model, as stored. */
    readonly projectionDocuments: Documents;
  };

/**
 * The shortest time between the starts of two batches of the relay, in milliseconds. A Kafka transaction
 * costs the same for one message as for many, so larger batches relay more under load. No subscriber notices
 * the wait.
 */
export const RELAY_INTERVAL = 40;

/**
 * The same for a batch of a projection. It is shorter: a write waits until the read model shows it
 * (WRITE_WAIT).
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
