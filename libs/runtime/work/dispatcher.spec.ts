import { afterEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { isLaneOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { runPending } from '../following/following.fixtures.js';
import { notifyOnEnqueue, startDispatching, type Dispatcher } from './dispatcher.js';

const work = (id: string, lane: string): Work => ({ queue: 'deliveries', id, lane, data: '{}' });

/** A queue in memory, in which all work is due. */
const queueOf = (...works: readonly Work[]) => {
  const waiting: ClaimedWork[] = works.map((piece) => ({ ...piece, attempt: 1, retries: 0 }));
  const queue = {
    failing: false,
    extended: [] as string[],
    enqueue: (piece: Work) => Promise.resolve(waiting.push({ ...piece, attempt: 1, retries: 0 }) > 0),
    claim: (_: string, __: number, except: readonly string[] = []) => {
      if (queue.failing) return Promise.reject(new Error('the store cannot be reached'));
      const claimed = waiting.find(({ lane }) => !isLaneOf(lane, except));
      if (claimed) waiting.splice(waiting.indexOf(claimed), 1);
      return Promise.resolve(claimed ?? null);
    },
    extend: ({ id }: Work) => Promise.resolve(queue.extended.push(id) > 0),
    complete: () => Promise.resolve(true),
    retryAfter: () => Promise.resolve(true),
    waiting: () => Promise.resolve([]),
    shortenWaits: () => (queue.failing ? Promise.reject(new Error('the store cannot be reached')) : Promise.resolve()),
  };
  return queue satisfies WorkQueue;
};

describe('a dispatcher', () => {
  const clock = manualClock();
  let dispatcher: Dispatcher | undefined;
  afterEach(async () => {
    await dispatcher?.stop();
  });

  /** Starts the dispatcher. Each piece of work runs until the test calls `end` with its id. */
  const begin = (queue: ReturnType<typeof queueOf>, limits = { maxRunning: 4, maxPerLane: 2, maxPerGroup: 3 }) => {
    const started: string[] = [];
    const errors: unknown[] = [];
    const endings = new Map<string, () => void>();
    const perform = ({ id }: ClaimedWork): Promise<void> => {
      started.push(id);
      return new Promise((resolve) => endings.set(id, resolve));
    };
    dispatcher = startDispatching({
      queue: 'deliveries',
      work: queue,
      clock,
      ...limits,
      perform,
      onError: (error) => void errors.push(error),
    });
    const end = async (...ids: readonly string[]): Promise<void> => {
      for (const id of ids) endings.get(id)?.();
      await runPending();
    };
    return { started, errors, end, endAll: () => end(...endings.keys()) };
  };

  it('yields to the event loop after each piece of work', async () => {
    const works = Array.from({ length: 50 }, (_, index) => work(`w${index}`, `lane ${index}`));
    let done = 0;
    const parts = { queue: 'deliveries', work: queueOf(...works), clock, maxRunning: 4, maxPerLane: 2, maxPerGroup: 3 };
    dispatcher = startDispatching({ ...parts, perform: async () => void done++, onError: () => undefined });
    const doneByTurn: number[] = [];
    for (; done < works.length; doneByTurn.push(done)) await yieldToEventLoop();
    expect(doneByTurn.length).toBeGreaterThan(works.length / 2);
  });

  it('limits the running work per lane, and continues with other lanes', async () => {
    const queue = queueOf(work('a1', 'a'), work('a2', 'a'), work('a3', 'a'), work('b1', 'b'), work('a4', 'a'));
    const { started, end, endAll } = begin(queue);
    await runPending();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    await endAll();
    await endAll();
    expect(started).toHaveLength(5);
  });

  it('limits the running work per group of lanes, and continues with other groups', async () => {
    const mine = ['t/a', 't/b', 't/c', 't/d', 't/e'].map((lane) => work(lane, lane));
    const { started, end, endAll } = begin(queueOf(...mine, work('u/a', 'u/a')));
    await runPending();
    expect(started).toEqual(['t/a', 't/b', 't/c', 'u/a']);
    await end('t/b');
    expect(started).toEqual(['t/a', 't/b', 't/c', 'u/a', 't/d']);
    await endAll();
    await endAll();
    expect(started).toHaveLength(6);
  });

  it('limits the running work in total', async () => {
    const queue = queueOf(...['a', 'b', 'c', 'd', 'e'].map((lane) => work(`${lane}1`, lane)));
    const { started, end, endAll } = begin(queue);
    await runPending();
    expect(started).toHaveLength(4);
    await end('a1');
    expect(started).toHaveLength(5);
    await endAll();
  });

  it('finds new work by polling, and without delay when the queue notifies it', async () => {
    const queue = queueOf();
    const { started, endAll } = begin(queue);
    const notifying = notifyOnEnqueue(queue);
    notifying.onEnqueued((name) => void (name === 'deliveries' && dispatcher?.wake()));
    await runPending();
    await queue.enqueue(work('a1', 'a'));
    await runPending();
    expect(started).toEqual([]);
    clock.advance(200);
    await runPending();
    expect(started).toEqual(['a1']);
    await notifying.enqueue(work('b1', 'b'));
    await runPending();
    expect(started).toEqual(['a1', 'b1']);
    await endAll();
  });

  it('extends the claims of running work', async () => {
    const queue = queueOf(work('a1', 'a'));
    const { endAll } = begin(queue);
    await runPending();
    clock.advance(4_000);
    await runPending();
    expect(queue.extended).toEqual(['a1']);
    await endAll();
    clock.advance(4_000);
    await runPending();
    expect(queue.extended).toEqual(['a1']);
  });

  it('reports an outage once, and resumes afterwards', async () => {
    const queue = queueOf(work('a1', 'a'));
    queue.failing = true;
    const { started, errors, endAll } = begin(queue);
    for (let second = 0; second < 3; second++) {
      await runPending();
      clock.advance(1_000);
    }
    await runPending();
    expect([started.length, errors.length]).toEqual([0, 1]);
    queue.failing = false;
    clock.advance(1_000);
    await runPending();
    expect(started).toEqual(['a1']);
    await endAll();
  });

  it('waits for running work when stopped, and starts no further work', async () => {
    const queue = queueOf(work('a1', 'a'));
    const { started, endAll } = begin(queue);
    await runPending();
    let stopped = false;
    const stopping = dispatcher?.stop().then(() => (stopped = true));
    await queue.enqueue(work('b1', 'b'));
    dispatcher?.wake();
    clock.advance(1_000);
    await runPending();
    expect(stopped).toBe(false);
    await endAll();
    await stopping;
    expect(started).toEqual(['a1']);
  });
});
