import { DeliveryStore } from '../../deliveries/delivery-store.js';
import { findEndpointOfTenant } from '../../deliveries/endpoints.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Ports } from '../command-ports.js';
import { enqueueRedelivery, type SendRejection } from '../deliveries/delivery.commands.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { act, actionKey, type ActingPorts, type Done, type KeyReason } from './operator-actions.js';

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
  ports: ActingPorts & Ports<'identities' | 'work'>,
  { id, reason, request }: RedeliverForOperator,
): Promise<ResultOf<RedeliverForOperator>> => {
  const { documents, decisions, identities, work } = ports;
  const operation = 'redeliverForOperator';
  const asked = { deliveryId: id, ...(reason !== undefined && { reason }) };
  const keyed = { operation, asked, request };
  await decisions.refresh();
  const earlier = actionKey(ports, keyed).check(decisions.current());
  if (earlier && isRejection(earlier)) return earlier;
  const stored = await new DeliveryStore(documents).find(id);
  const target = stored?.delivery.target;
  const endpoint =
    stored && target?.kind === 'webhook' ? await findEndpointOfTenant(documents, target.webhookId, stored.delivery.tenant) : null;
  // What was done before is done, whatever has become of the delivery and its endpoint.
  if (!stored) return earlier ?? rejected('delivery_unknown');
  if (target?.kind !== 'webhook') return rejected('callback_not_repeatable');
  if (!endpoint) return earlier ?? rejected('webhook_not_found');
  if (endpoint.status !== 'enabled') return earlier ?? rejected('webhook_disabled');
  const { stream, revision } = stored.delivery;
  const done = await act(ports, keyed, (state) => ({
    event: { type: 'RedeliveryRequested', data: { ...asked, stream, revision } },
    next: state,
  }));
  if (isRejection(done)) return done;
  // Also if it was recorded before: the process may have ended in between. The queue knows the id, so it is sent once.
  await enqueueRedelivery(work, endpoint, stored.delivery, identities.of(operation, request, asked).id);
  return done;
};
