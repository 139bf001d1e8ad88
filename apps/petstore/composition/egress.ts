import { openEgress } from '../../../libs/adapters/egress/index.js';
import type { Settings } from '../../../libs/settings/settings.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Egress } from '../../../libs/ports/egress.port.js';

/** The settings for requests to URLs that clients supplied. */
export type EgressSettings = Pick<Settings, 'egressAllow' | 'egressProxy'>;

/** Creates the client for all requests to URLs that clients supplied. */
export const createEgress = (clock: Clock, { egressAllow: allow, egressProxy: proxy }: EgressSettings): Egress =>
  openEgress({ clock, allow, ...(proxy !== undefined && { proxy }) });
