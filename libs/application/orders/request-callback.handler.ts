import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { orderStream, type CallbackRequestId, type OrderId } from '../../domain/ids.js';
import type { OrderRejection } from '../../domain/orders/order.decider.js';
import type { CallbackTerms, OrderEvent } from '../../domain/orders/order.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import { ORDERS } from '../aggregates.js';
import type { Identities } from '../identities.js';
import { commandContext, type ResultOf, type CommandRejection, type RequestContext } from '../request.js';
import { AGGREGATES, CODEC, EVENT_STORE, IDENTITIES } from '../tokens.js';

/** The accepted callback. `replayed` is true if an earlier request with the same Idempotency-Key requested it. */
export type CallbackRequestResult = { readonly requestId: string; readonly replayed: boolean };

/** Requests a callback with the order's status to a URL. */
export class RequestCallback extends Command<CallbackRequestResult | CommandRejection<OrderRejection | 'idempotency_key_reused'>> {
  constructor(
    readonly orderId: string,
    readonly input: CallbackTerms,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Records the request in the order's stream. A consumer of the log delivers the callback. */
@CommandHandler(RequestCallback)
export class RequestCallbackHandler implements ICommandHandler<RequestCallback> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
  ) {}

  async execute({ orderId, input, request }: RequestCallback): Promise<ResultOf<RequestCallback>> {
    const { id: requestId, bodyDigest } = this.identities.of<CallbackRequestId>('callbackOrder', request, { orderId, ...input });
    const earlier = bodyDigest && (await this.findRequestEvent(orderId as OrderId, requestId));
    if (earlier) return earlier.meta.bodyDigest === bodyDigest ? { requestId, replayed: true } : rejected('idempotency_key_reused');
    const command = { type: 'RequestOrderCallback', data: { orderId: orderId as OrderId, requestId, ...input } } as const;
    const outcome = await this.aggregates.handle(ORDERS, orderId, command, commandContext(request, bodyDigest));
    if (isRejection(outcome)) return outcome;
    if (outcome.events.length > 0) return { requestId, replayed: false };
    // A concurrent request with the same Idempotency-Key was recorded first. Its body must be the same.
    const concurrent = await this.findRequestEvent(orderId as OrderId, requestId);
    return concurrent?.meta.bodyDigest === bodyDigest ? { requestId, replayed: true } : rejected('idempotency_key_reused');
  }

  /** Returns the recorded event of this request, if it exists. */
  private async findRequestEvent(orderId: OrderId, requestId: CallbackRequestId): Promise<RecordedEvent | null> {
    const { state, end } = await this.aggregates.load(ORDERS, orderId);
    if (state.status === 'unplaced' || !state.terms.callbacks.requested.includes(requestId)) return null;
    return findLastEvent(this, orderStream(orderId), end.revision, (recorded) => {
      const { type, data } = eventOf<OrderEvent>(recorded);
      return type === 'OrderCallbackRequested' && data.requestId === requestId;
    });
  }
}
