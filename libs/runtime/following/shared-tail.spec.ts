import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runPending, createTestLog } from './following.fixtures.js';
import { shareTail } from './shared-tail.js';

describe('the subscribers of the log in one process', () => {
  let log: ReturnType<typeof createTestLog>;
  let subscribedAt: number[];
  let open: number;
  let reads: string[];
  let fails: (() => void) | null;
  let shared: ReturnType<typeof shareTail>;
  const stopping: AbortController[] = [];

  beforeEach(() => {
    log = createTestLog();
    [subscribedAt, open, reads, fails] = [[], 0, [], null];
    const unused = (): Promise<never> => Promise.reject(new Error('not used in this test'));
    shared = shareTail({
      append: unused,
      readAll: unused,
      readStream: (stream, from, limit) => {
        reads.push(`${stream} ${from} ${limit}`);
        return log.store.readStream(stream, from, limit);
      },
      async *subscribe(after, signal) {
        subscribedAt.push(after);
        open++;
        const failed = new AbortController();
        fails = () => failed.abort();
        try {
          yield* log.store.subscribe(after, AbortSignal.any([signal, failed.signal]));
          if (!signal.aborted) throw new Error('the connection broke');
        } finally {
          open--;
        }
      },
    });
  });
  afterEach(() => stopping.splice(0).forEach((each) => each.abort()));

  const follow = (after = 0) => {
    const stop = new AbortController();
    stopping.push(stop);
    const seen: number[] = [];
    const ended = (async () => {
      for await (const { events } of shared.subscribe(after, stop.signal)) seen.push(...events.map(({ position }) => position));
    })();
    return { seen, ended, stop: () => stop.abort() };
  };
  const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `many-${index}`);

  it('see every event once, in order, and share one subscription once they have caught up', async () => {
    log.add('a-1', 'a-2');
    const [first, second] = [follow(), follow(1)];
    await runPending();
    log.add('a-3', 'a-1');
    await runPending();
    expect([first.seen, second.seen]).toEqual([
      [1, 2, 3, 4],
      [2, 3, 4],
    ]);
    expect(open).toBe(1);
  });

  it('share one subscription with a later subscriber', async () => {
    const first = follow();
    await runPending();
    log.add('a-1', 'a-2', 'a-3');
    await runPending();
    const later = follow();
    await runPending();
    log.add('a-4');
    await runPending();
    expect([first.seen, later.seen]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    expect(open).toBe(1);
  });

  it('miss no event when the shared subscription fails', async () => {
    const [first, second] = [follow(), follow()];
    await runPending();
    log.add('a-1');
    await runPending();
    fails?.();
    log.add('a-2');
    await runPending();
    log.add('a-3');
    await runPending();
    expect([first.seen, second.seen]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('do not wait for a slow subscriber, which continues with its own subscription', async () => {
    const stop = new AbortController();
    stopping.push(stop);
    const slow = shared.subscribe(0, stop.signal)[Symbol.asyncIterator]();
    const next = async (): Promise<readonly number[]> => {
      const step = await slow.next();
      return step.done === true ? [] : step.value.events.map(({ position }) => position);
    };
    await next();
    const quick = follow();
    log.add('a-1');
    expect(await next()).toEqual([1]);
    await runPending();
    log.add(...many(2_500));
    await runPending();
    log.add(...many(2_500));
    await runPending();
    expect(quick.seen).toHaveLength(5_001);
    const seen = [1];
    while (seen.length < 5_001) seen.push(...(await next()));
  });

  it('end the shared subscription when the last subscriber stops, and start it again for the next one', async () => {
    const first = follow();
    await runPending();
    first.stop();
    await first.ended;
    await runPending();
    expect(open).toBe(0);
    log.add('a-1');
    const next = follow();
    await runPending();
    log.add('a-2');
    await runPending();
    expect(next.seen).toEqual([1, 2]);
  });

  it('observe the events of a stream without a gap, from a revision on', async () => {
    log.add('a-1');
    follow(1);
    await runPending();
    log.add('a-2', 'a-1', 'a-1', 'a-2');
    await runPending();
    const observed = (stream: string, from: number) => shared.observedEvents(stream, from).events.map(({ revision }) => revision);
    expect([observed('a-2', 0), observed('a-1', 1), observed('a-1', 2), observed('a-1', 3)]).toEqual([[0, 1], [1, 2], [2], []]);
    expect([observed('a-1', 0), observed('a-3', 0)]).toEqual([[], []]);
  });

  it('know up to which position no event of a stream is missing', async () => {
    log.add('a-1');
    follow(1);
    await runPending();
    log.add('a-2', 'a-1', 'a-2', 'a-3');
    await runPending();
    const upTo = (stream: string, from: number) => shared.observedEvents(stream, from).upTo;
    expect([upTo('a-2', 0), upTo('a-2', 1), upTo('a-2', 2), upTo('a-1', 1)]).toEqual([5, 5, 5, 5]);
    expect([upTo('a-1', 0), upTo('a-2', 3), upTo('a-4', 0)]).toEqual([0, 0, 0]);
    log.add(...many(1_500));
    await runPending();
    log.add(...many(1_500));
    await runPending();
    expect([upTo('a-2', 2), upTo('many-1499', 2)]).toEqual([0, 3_005]);
  });

  it('read a single observed event from the cache, and any other from the store', async () => {
    log.add('a-1');
    const first = follow();
    await runPending();
    log.add('a-2', 'a-2');
    await runPending();
    expect(await shared.readStream('a-2', 1, 1)).toMatchObject([{ stream: 'a-2', revision: 1 }]);
    expect(reads).toEqual([]);
    expect(await shared.readStream('a-1', 0, 1)).toMatchObject([{ stream: 'a-1', revision: 0 }]);
    expect(await shared.readStream('a-2', 0)).toHaveLength(2);
    expect(reads).toHaveLength(2);
    expect(first.seen).toEqual([1, 2, 3]);
  });
});
