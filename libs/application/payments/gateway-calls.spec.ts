import { afterEach, describe, expect, it } from '@jest/globals';
import type { PaymentId } from '../../domain/ids.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { isLaneOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Dispatcher } from '../../runtime/work/dispatcher.js';
import { advanceUntil } from '../../runtime/following/following.fixtures.js';
import { gatewayWork, enqueueGatewayCalls, startGatewayCalls, type GatewayCallsPorts } from './gateway-calls.js';

type Queued = ClaimedWork & { readonly due: number; readonly taken: boolean };

/** A work queue in memory. */
const memoryQueue = () => {
  const queued = new Map<string, Queued>();
  const done: string[] = [];
  const queue = {
    enqueue: async (work: Work) =>
      !queued.has(work.id) && Boolean(queued.set(work.id, { ...work, due: clock.elapsed(), attempt: 0, retries: 0, taken: false })),
    claim: async (_: string, __: number, except: readonly string[] = []): Promise<ClaimedWork | null> => {
      const now = clock.elapsed();
      const found = [...queued.values()].find(({ taken, due, lane }) => !taken && due <= now && !isLaneOf(lane, except));
      return found ? { ...Object.assign(found, { taken: true, attempt: found.attempt + 1 }) } : null;
    },
    extend: async () => true,
    complete: async ({ id }: Work) => (done.push(id), queued.delete(id)),
    retryAfter: async ({ id }: Work, milliseconds: number) =>
      Boolean(Object.assign(queued.get(id) ?? {}, { due: clock.elapsed() + milliseconds, taken: false })),
    shortenWaits: async () => undefined,
    waiting: async () => [],
  };
  return { queue: queue satisfies WorkQueue, queued, done };
};

const clock = manualClock();
const charge = (paymentId: string, tenant: string): Work =>
  gatewayWork(
    { type: 'ChargePayment', data: { paymentId: paymentId as PaymentId } },
    { tenant, actor: 'anonymous', correlationId: 'request', causationId: `event of ${paymentId}` },
  );

let running: Dispatcher | null = null;
afterEach(() => running?.stop());

const start = (work: WorkQueue, execute: GatewayCallsPorts['execute']) => {
  const errors: unknown[] = [];
  running = startGatewayCalls({ work, clock, execute, onError: (error) => errors.push(error) });
  return errors;
};

describe('calls of the payment gateway', () => {
  it('do not delay the calls of other tenants when they are slow', async () => {
    const { queue, done } = memoryQueue();
    for (let nth = 0; nth < 300; nth++) await queue.enqueue(charge(`slow ${nth}`, 'a'));
    for (let nth = 0; nth < 20; nth++) await queue.enqueue(charge(`quick ${nth}`, 'b'));
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    let [concurrent, started] = [0, 0];
    start(queue, async (_, { tenant }) => {
      if (tenant === 'a') {
        concurrent = Math.max(concurrent, ++started);
        await slow;
      }
      return null;
    });
    await advanceUntil(clock, 'all of the other tenant’s', () => done.length === 20);
    expect([done.every((id) => id.includes('quick')), concurrent]).toEqual([true, 32]);
    answer();
    await advanceUntil(clock, 'all of them', () => done.length === 320);
  });

  it('are retried after a failure with growing delays, without a limit', async () => {
    const { queue, queued, done } = memoryQueue();
    await queue.enqueue(charge('1', 'a'));
    const at: number[] = [];
    const errors = start(queue, async () => {
      at.push(clock.now().getTime());
      if (at.length < 4) throw new Error('the gateway does not answer');
      return null;
    });
    for (let times = 1; times <= 3; times++) await advanceUntil(clock, 'another time', () => at.length > times);
    await advanceUntil(clock, 'its end', () => done.length === 1);
    const pauses = at.slice(1).map((time, before) => time - (at[before] ?? 0));
    expect(pauses.map((pause, nth) => pause >= ([250, 1_000, 5_000][nth] ?? Infinity))).toEqual([true, true, true]);
    expect([queued.size, errors]).toEqual([0, [expect.objectContaining({ message: 'the gateway does not answer' })]]);
  });

  it('are enqueued once per event', async () => {
    const { queue, queued } = memoryQueue();
    const context = { tenant: 'shared', actor: 'anonymous', correlationId: 'request', causationId: 'event' };
    const enqueue = enqueueGatewayCalls({
      execute: async () => Promise.reject(new Error('the call was not enqueued')),
      work: queue,
    });
    for (let time = 0; time < 2; time++) await enqueue({ type: 'ChargePayment', data: { paymentId: '1' as PaymentId } }, context);
    expect([...queued.values()]).toMatchObject([{ queue: 'gateway-calls', id: 'ChargePayment:1:event', lane: 'shared' }]);
  });

  it('are retried after repeated conflicts, and done after a final rejection', async () => {
    const { queue, done } = memoryQueue();
    await queue.enqueue(charge('1', 'a'));
    const outcomes = [{ rejected: 'contended' }, { rejected: 'payment_not_refundable' }];
    start(queue, async () => outcomes.shift() ?? null);
    await advanceUntil(clock, 'its end', () => done.length === 1);
    expect(outcomes).toEqual([]);
  });
});
