import type { GatewayCommand } from '../../domain/payments/payment.commands.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { ClaimedWork, Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../../processes/process-command.js';
import { startDispatching, type Dispatcher } from '../../deliveries/dispatch/dispatcher.js';

/** The queue of charges and refunds at the payment gateway. Its lanes are tenants. */
export const GATEWAY_CALLS = 'gateway-calls';

/**
 * Many concurrent calls cost little, because they mostly wait. The limit per tenant keeps the slow calls of
 * one tenant from delaying those of others.
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
 * Returns the work for a call of the gateway. Its id depends on the event that caused it, so a repeated event
 * adds no work. A refund that was requested too early is requested again by a later event, and gets another
 * id.
 */
export const gatewayWork = (command: GatewayCommand, context: CommandContext): Work => ({
  queue: GATEWAY_CALLS,
  id: `${command.type}:${command.data.paymentId}:${context.causationId}`,
  lane: context.tenant,
  data: JSON.stringify({ command, context } satisfies GatewayCall),
});

/**
 * Enqueues calls of the gateway, so that slow calls do not block the handling of messages. Runs all other
 * commands immediately.
 */
export const enqueueGatewayCalls =
  ({ perform, work, clock }: Pick<GatewayCallsPorts, 'perform' | 'work' | 'clock'>): Execute<ProcessCommand> =>
  async (command, context) => {
    if (!isGatewayCall(command)) return perform(command, context);
    await work.enqueue(gatewayWork(command, context), clock.now());
    return null;
  };

export type GatewayCallsPorts = {
  readonly work: WorkQueue;
  readonly clock: Clock;
  readonly perform: Execute<ProcessCommand>;
  readonly onError: (error: unknown) => void;
};

/**
 * Takes calls from the queue and makes them, with a limit per tenant. A call is made at least once, because a
 * failed call is retried without a limit. The payment's id is the gateway's idempotency key.
 */
export const startGatewayCalls = ({ work, clock, perform, onError }: GatewayCallsPorts): Dispatcher => {
  const call = async (piece: ClaimedWork): Promise<void> => {
    const { command, context } = JSON.parse(piece.data) as GatewayCall;
    try {
      const rejection = await perform(command, context);
      if (rejection?.rejected === 'contended') throw new Error(`${command.type} gave up after repeated conflicts`);
    } catch (error) {
      await work.retryAt(piece, new Date(clock.now().getTime() + retryDelay(piece)));
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
