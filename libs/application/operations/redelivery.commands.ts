import { DeliveryStore } from '../../deliveries/delivery-store.js';
import { findEndpointOfTenant } from '../../deliveries/endpoints.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Ports } from '../command-ports.js';
import { enqueueRedelivery, type SendRejection } from '../deliveries/delivery.commands.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { act, type Done, type KeyReason } from './operator-actions.js';

/** Has a delivery of any tenant sent to its endpoint again, whatever its status, with the same id (contract 43.13). */
export class RedeliverForOperator extends RequestCommand<
  'RedeliverForOperator',
  Done | Rejection<SendRejection | 'delivery_unknown' | 'callback_not_repeatable' | KeyReason>
> {
  constructor(
    readonly id: string,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const redeliverForOperator = async (
  ports: Ports<'aggregates' | 'clock' | 'documents' | 'decisions' | 'identities' | 'work'>,
  { id, reason, request }: RedeliverForOperator,
): Promise<ResultOf<RedeliverForOperator>> => {
  const { documents, identities, work } = ports;
  const stored = await new DeliveryStore(documents).find(id);
  if (!stored) return rejected('delivery_unknown');
  const { target, tenant, stream, revision } = stored.delivery;
  if (target.kind !== 'webhook') return rejected('callback_not_repeatable');
  const endpoint = await findEndpointOfTenant(documents, target.webhookId, tenant);
  if (!endpoint) return rejected('webhook_not_found');
  if (endpoint.status !== 'enabled') return rejected('webhook_disabled');
  const operation = 'redeliverForOperator';
  const asked = { deliveryId: id, ...(reason !== undefined && { reason }) };
  const done = await act(ports, { operation, asked, request }, (state) => ({
    event: { type: 'RedeliveryRequested', data: { ...asked, stream, revision } },
    next: state,
  }));
  if (isRejection(done)) return done;
  // Also if it was recorded before: the process may have ended in between. The queue knows the id, so it is sent once.
  await enqueueRedelivery(work, endpoint, stored.delivery, identities.of(operation, request, asked).id);
  return done;
};
