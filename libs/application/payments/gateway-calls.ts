import type { PaymentId } from '../../domain/ids.js';
import type { GatewayCommand } from '../../domain/payments/payment.decider.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { ClaimedWork, Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { continueTrace, inSpan, type Tracing } from '../../eventsourcing/ports/tracing.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../../processes/process-command.js';
import { startDispatching, type Dispatcher } from '../../runtime/work/dispatcher.js';

/** The queue of charges and refunds at the payment gateway. Each tenant has its own lane of the queue. */
export const GATEWAY_CALLS = 'gateway-calls';

/**
 * Limits of concurrent calls. Many calls cost little, because a call mostly waits for the gateway. The limit per tenant
 * keeps the slow calls of one tenant from delaying the calls of other tenants.
 */
const MAX_CALLS = 1_024;
const MAX_CALLS_PER_TENANT = 32;

/** Milliseconds before each retry of a failed call. The last delay repeats. */
const RETRY_DELAYS = [250, 1_000, 5_000, 30_000, 60_000];

type GatewayCall = { readonly command: GatewayCommand; readonly context: CommandContext };

/** Returns whether a command calls the payment gateway. */
const isGatewayCall = (command: ProcessCommand): command is GatewayCommand =>
  command.type === 'ChargePayment' || command.type === 'RefundPayment';

/**
 * Returns the work for a call of the gateway. The id of the work depends on the event that caused the call, so a repeated
 * event adds no work. A refund of a payment that has not succeeded yet is rejected, and its work is complete. If the payment
 * succeeds later, that event requests the refund again. The new work has another id, so it is not mistaken for the old one.
 */
export const gatewayWork = (command: GatewayCommand, context: CommandContext): Work => ({
  queue: GATEWAY_CALLS,
  id: `${command.type}:${command.data.paymentId}:${context.causationId}`,
  lane: context.tenant,
  data: JSON.stringify({ command, context } satisfies GatewayCall),
});

/** Returns the payment of a call of the gateway. */
export const paymentOfCall = ({ data }: Pick<Work, 'data'>): PaymentId => (JSON.parse(data) as GatewayCall).command.data.paymentId;

/**
 * Enqueues calls of the gateway, so that slow calls do not block the handling of messages. Runs all other
 * commands immediately.
 */
export const enqueueGatewayCalls =
  ({ execute, work }: Pick<GatewayCallsPorts, 'execute' | 'work'>): Execute<ProcessCommand> =>
  async (command, context) => {
    if (!isGatewayCall(command)) return execute(command, context);
    await work.enqueue(gatewayWork(command, context));
    return null;
  };

export type GatewayCallsPorts = {
  readonly work: WorkQueue;
  readonly clock: Clock;
  readonly execute: Execute<ProcessCommand>;
  readonly onError: (error: unknown) => void;
  readonly tracing?: Tracing;
};

/**
 * Takes calls from the queue and makes them, with a limit per tenant. A failed call is retried until it succeeds, so each
 * call is made at least once. A repeated call has no effect, because the payment's id is the gateway's idempotency key.
 */
export const startGatewayCalls = ({ work, clock, execute, onError, tracing }: GatewayCallsPorts): Dispatcher => {
  const call = async (piece: ClaimedWork): Promise<void> => {
    const { command, context } = JSON.parse(piece.data) as GatewayCall;
    try {
      const start = { name: 'call gateway', kind: 'client', attributes: { 'petstore.command': command.type } } as const;
      const rejection = await inSpan(tracing, context.traceparent, start, (traceparent) =>
        execute(command, continueTrace(context, traceparent)),
      );
      if (rejection?.rejected === 'contended') throw new Error(`${command.type} gave up after repeated conflicts`);
    } catch (error) {
      await work.retryAfter(piece, retryDelay(piece));
      throw error;
    }
    await work.complete(piece);
  };
  return startDispatching({
    queue: GATEWAY_CALLS,
    work,
    clock,
    maxRunning: MAX_CALLS,
    maxPerLane: MAX_CALLS_PER_TENANT,
    maxPerGroup: MAX_CALLS,
    perform: call,
    onError,
  });
};

const retryDelay = ({ attempt }: ClaimedWork): number => RETRY_DELAYS[attempt - 1] ?? RETRY_DELAYS.at(-1) ?? 0;
