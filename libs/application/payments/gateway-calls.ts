import type { PaymentRequest } from '../../domain/payments/payment.commands.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { ClaimedWork, Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../../processes/process-command.js';
import { startDispatching, type Dispatcher } from '../../deliveries/dispatch/dispatcher.js';

/** Charges and refunds that the payment gateway is to make; a lane is a tenant. */
export const GATEWAY_CALLS = 'gateway-calls';

/** They wait for an answer mostly, so many at once cost little; a tenant whose payments are slow keeps no other waiting. */
const AT_ONCE = 1_024;
const PER_TENANT = 32;

/** Milliseconds until a call that failed is made again; the last one counts for all later ones. */
const RETRY_AFTER = [250, 1_000, 5_000, 30_000, 60_000];

type GatewayCall = { readonly command: PaymentRequest; readonly context: CommandContext };

/** Whether a command waits for the payment gateway, which may take long to answer. */
const isGatewayCall = (command: ProcessCommand): command is PaymentRequest =>
  command.type === 'ChargePayment' || command.type === 'RefundPayment';

/**
 * The work that a call of the gateway is: the same for the same event, however often that comes. A refund that comes too
 * early is asked for again by a later event, and is other work then.
 */
export const gatewayWork = (command: PaymentRequest, context: CommandContext): Work => ({
  queue: GATEWAY_CALLS,
  id: `${command.type}:${command.data.paymentId}:${context.causationId}`,
  lane: context.tenant,
  data: JSON.stringify({ command, context } satisfies GatewayCall),
});

/** Has calls of the gateway made later, as work, so that no message waits behind one; all else is carried out at once. */
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
 * Calls the payment gateway as asked, in lanes by tenant. A call is made at least once; the payment's id is the gateway's
 * idempotency key. One that fails is made again, for as long as it takes.
 */
export const startGatewayCalls = ({ work, clock, perform, onError }: GatewayCallsPorts): Dispatcher => {
  const call = async (piece: ClaimedWork): Promise<void> => {
    const { command, context } = JSON.parse(piece.data) as GatewayCall;
    try {
      const rejection = await perform(command, context);
      if (rejection?.rejected === 'contended') throw new Error(`${command.type} gave up after repeated conflicts`);
    } catch (error) {
      await work.retryAt(piece, new Date(clock.now().getTime() + retryAfter(piece)));
      throw error;
    }
    await work.complete(piece);
  };
  return startDispatching({
    queue: GATEWAY_CALLS,
    work,
    clock,
    atOnce: AT_ONCE,
    perLane: PER_TENANT,
    perGroup: AT_ONCE,
    perform: call,
    onError,
  });
};

const retryAfter = ({ attempt }: ClaimedWork): number => RETRY_AFTER[attempt - 1] ?? RETRY_AFTER.at(-1) ?? 0;
