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
 * Concurrent calls mostly wait, so many cost little. The limit per tenant keeps a slow tenant from delaying
 * others.
 */
const MAX_CALLS = 1_024;
const MAX_CALLS_PER_TENANT = 32;

/** Milliseconds before each retry of a failed call. The last delay repeats. */
const RETRY_DELAYS = [250, 1_000, 5_000, 30_000, 60_000];

type GatewayCall = { readonly command: GatewayCommand; readonly context: CommandContext };

/** Returns whether a command calls the payment gateway, which may take long to answer. */
const isGatewayCall = (command: ProcessCommand): command is GatewayCommand =>
  command.type === 'ChargePayment' || command.type === 'RefundPayment';

/**
 * Returns the work for a call of the gateway. It is the same for every repetition of an event. A refund that
 * comes too early is requested again by a later event, which makes it different work.
 */
export const gatewayWork = (command: GatewayCommand, context: CommandContext): Work => ({
  queue: GATEWAY_CALLS,
  id: `${command.type}:${command.data.paymentId}:${context.causationId}`,
  lane: context.tenant,
  data: JSON.stringify({ command, context } satisfies GatewayCall),
});

/** Enqueues calls of the gateway, so that no message waits for one. Runs all other commands at once. */
export const queueGatewayCalls =
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
 * Calls the payment gateway, in lanes by tenant. A call is made at least once. The payment's id is the
 * gateway's idempotency key. A failed call is retried without a limit.
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
    atOnce: MAX_CALLS,
    perLane: MAX_CALLS_PER_TENANT,
    perGroup: MAX_CALLS,
    perform: call,
    onError,
  });
};

const retryDelay = ({ attempt }: ClaimedWork): number => RETRY_DELAYS[attempt - 1] ?? RETRY_DELAYS.at(-1) ?? 0;
