import { dayOf } from '../../eventsourcing/day.js';
import type { SecurityEventData } from '../../domain/security/security.decider.js';
import { isRejection } from '../../eventsourcing/decider.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { SECURITY_OF_DAY } from '../aggregates.js';
import { commandContext, RequestCommand } from '../request.js';
import type { Ports } from '../command-ports.js';

/** The actor in the metadata of security events. Only the data of an event name the caller, and these data are encrypted. */
const SERVICE = 'service';

/**
 * Records a security event (contract 34.1). The event is durable when the command resolves. Returns null, or rejects with
 * StoreUnavailable.
 */
export class RecordSecurityEvent extends RequestCommand<'RecordSecurityEvent', null> {
  constructor(
    readonly data: SecurityEventData,
    readonly request: { readonly tenant: string; readonly requestId: string; readonly traceparent?: string },
  ) {
    super();
  }
}

export const recordSecurityEvent = async (
  { aggregates, clock }: Ports<'aggregates' | 'clock'>,
  { data, request }: RecordSecurityEvent,
): Promise<null> => {
  const day = dayOf(clock.now());
  const context = commandContext({ ...request, actor: SERVICE });
  const outcome = await aggregates.handle(SECURITY_OF_DAY, day, { type: 'SecurityEventRecorded', data }, context);
  if (isRejection(outcome)) throw new StoreUnavailable(`could not record a security event: ${outcome.rejected}`);
  return null;
};
