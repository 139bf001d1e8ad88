import { contracts, publicMessageMapper } from '../../libs/contracts/contracts.js';
import { followEndpoints } from '../../libs/deliveries/announce/endpoint-lookup.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import { between, whileLeased } from '../../libs/runtime/leases/while-leased.js';
import { startProjections, type ProjectionRoleParts } from '../../libs/runtime/projecting/projection-role.js';
import { startRelay, type RelayParts } from '../../libs/runtime/relay/relay.js';
import type { Profile, RunningRole } from './roles.js';

/** What the roles of separate worker processes work on beside the ports of all roles. */
export type DistributedProfilePorts = Omit<ProjectionRoleParts, 'every'> &
  Omit<RelayParts, 'every' | 'messageOf' | 'documents' | 'batch'> & {
    readonly documents: Documents;
    /** Every version of a read model as it is. */
    readonly building: Documents;
  };

/**
 * A batch of the relay begins this many milliseconds after the one before it at the earliest: under load a transaction on
 * Kafka costs the same however much it holds, and no subscriber notices the wait.
 */
export const RELAY_INTERVAL = 40;

/** The same for a batch of a read model: shorter, since a write waits until the read model shows it (WRITE_WAIT). */
const PROJECTION_INTERVAL = 20;

/** The roles as any of several processes has them: what one alone may do, it does under a lease. */
export const createDistributedProfile = (ports: DistributedProfilePorts): Profile => ({
  startProjections: () => startProjections({ ...ports, documents: ports.building, every: PROJECTION_INTERVAL }),
  startRelay: () => startRelaying(ports),
  openEndpoints: () => followEndpoints(ports),
  runExclusively: (role, start) => whileLeased({ ...ports, name: role }, between(start)),
});

const startRelaying = (ports: DistributedProfilePorts): RunningRole => {
  const relay = startRelay({ ...ports, documents: ports.building, messageOf: publicMessageMapper(contracts), every: RELAY_INTERVAL });
  return {
    positions() {
      const position = relay.position();
      return position === null ? {} : { relay: position };
    },
    refusal: () => relay.refusal(),
    stop: () => relay.stop(),
  };
};
