import { DeliveryStore } from '../../deliveries/delivery-store.js';
import type { Delivery } from '../../deliveries/delivery.js';
import type { Endpoint } from '../../deliveries/endpoints.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Ports } from '../command-ports.js';
import { enqueueRedelivery, findEnabledEndpoint, type SendRejection } from '../deliveries/delivery.commands.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { act, actionKey, type ActingPorts, type Done, type KeyReason } from './operator-actions.js';

type Refusal = SendRejection | 'delivery_unknown' | 'callback_not_repeatable';

/** Has a delivery of any tenant sent to its endpoint again, whatever its status, with the same id (contract 43.13). */
export class RedeliverForOperator extends RequestCommand<'RedeliverForOperator', Done | Rejection<Refusal | KeyReason>> {
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
  const asked = { deliveryId: id, ...(reason !== undefined && { reason }) };
  const found = await findTarget(ports.documents, id);
  const keyed = { operation: 'redeliverForOperator', asked, request };
  const key = actionKey(ports, keyed);
  const done = await act(
    ports,
    keyed,
    (state) => {
      if (isRejection(found)) return found;
      const { stream, revision } = found.delivery;
      return { event: { type: 'RedeliveryRequested', data: { ...asked, stream, revision } }, next: state };
    },
    key,
  );
  // Also if it was recorded before: the process may have ended in between. The queue knows the id, so it is sent once.
  if (!isRejection(done) && !isRejection(found)) await enqueueRedelivery(ports.work, found.endpoint, found.delivery, key.id);
  return done;
};

/** Returns a delivery with the enabled endpoint to which it can be sent again, or why it cannot. */
const findTarget = async (
  documents: Documents,
  id: string,
): Promise<{ readonly delivery: Delivery; readonly endpoint: Endpoint } | Rejection<Refusal>> => {
  const delivery = await new DeliveryStore(documents).read(id);
  if (!delivery) return rejected('delivery_unknown');
  const { target, tenant } = delivery;
  if (target.kind !== 'webhook') return rejected('callback_not_repeatable');
  const endpoint = await findEnabledEndpoint(documents, target.webhookId, { tenant });
  return isRejection(endpoint) ? endpoint : { delivery, endpoint };
};
