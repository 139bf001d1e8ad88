import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { settle, writtenLog } from './following.fixtures.js';
import { shareTail } from './shared-tail.js';

describe('those who follow the log in one process', () => {
  let log: ReturnType<typeof writtenLog>;
  let begun: number[];
  let open: number;
  let reads: string[];
  let fails: (() => void) | null;
  let shared: ReturnType<typeof shareTail>;
  const stopping: AbortController[] = [];

  beforeEach(() => {
    log = writtenLog();
    [begun, open, reads, fails] = [[], 0, [], null];
    const unused = (): Promise<never> => Promise.reject(new Error('not asked for here'));
    shared = shareTail({
      append: unused,
      readAll: unused,
      readStream: (stream, from, limit) => {
        reads.push(`${stream} ${from} ${limit}`);
        return log.store.readStream(stream, from, limit);
      },
      async *subscribe(after, signal) {
        begun.push(after);
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

  it('each see every event once, in order, and share one subscription once they have caught up', async () => {
    log.add('a-1', 'a-2');
    const [first, second] = [follow(), follow(1)];
    await settle();
    log.add('a-3', 'a-1');
    await settle();
    expect([first.seen, second.seen]).toEqual([
      [1, 2, 3, 4],
      [2, 3, 4],
    ]);
    expect(open).toBe(1);
  });

  it('are joined by one who comes later', async () => {
    const first = follow();
    await settle();
    log.add('a-1', 'a-2', 'a-3');
    await settle();
    const later = follow();
    await settle();
    log.add('a-4');
    await settle();
    expect([first.seen, later.seen]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    expect(open).toBe(1);
  });

  it('lose nothing when the shared subscription breaks', async () => {
    const [first, second] = [follow(), follow()];
    await settle();
    log.add('a-1');
    await settle();
    fails?.();
    log.add('a-2');
    await settle();
    log.add('a-3');
    await settle();
    expect([first.seen, second.seen]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('do not wait for one who is slow: it reads on by itself', async () => {
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
    await settle();
    log.add(...many(2_500));
    await settle();
    log.add(...many(2_500));
    await settle();
    expect(quick.seen).toHaveLength(5_001);
    const seen = [1];
    while (seen.length < 5_001) seen.push(...(await next()));
  });

  it('let go of the shared subscription when the last one stops, and begin it anew', async () => {
    const first = follow();
    await settle();
    first.stop();
    await first.ended;
    await settle();
    expect(open).toBe(0);
    log.add('a-1');
    const next = follow();
    await settle();
    log.add('a-2');
    await settle();
    expect(next.seen).toEqual([1, 2]);
  });

  it('hear of a stream what came by without a gap, from a revision on', async () => {
    log.add('a-1');
    follow(1);
    await settle();
    log.add('a-2', 'a-1', 'a-1', 'a-2');
    await settle();
    const heard = (stream: string, from: number) => shared.heard(stream, from).events.map(({ revision }) => revision);
    expect([heard('a-2', 0), heard('a-1', 1), heard('a-1', 2), heard('a-1', 3)]).toEqual([[0, 1], [1, 2], [2], []]);
    expect([heard('a-1', 0), heard('a-3', 0)]).toEqual([[], []]);
  });

  it('know up to where nothing of a stream is missing: the end, where something of it came by that is still kept', async () => {
    log.add('a-1');
    follow(1);
    await settle();
    log.add('a-2', 'a-1', 'a-2', 'a-3');
    await settle();
    const upTo = (stream: string, from: number) => shared.heard(stream, from).upTo;
    expect([upTo('a-2', 0), upTo('a-2', 1), upTo('a-2', 2), upTo('a-1', 1)]).toEqual([5, 5, 5, 5]);
    expect([upTo('a-1', 0), upTo('a-2', 3), upTo('a-4', 0)]).toEqual([0, 0, 0]);
    log.add(...many(1_500));
    await settle();
    log.add(...many(1_500));
    await settle();
    expect([upTo('a-2', 2), upTo('many-1499', 2)]).toEqual([0, 3_005]);
  });

  it('find a single event that came by without asking the store, and any other as before', async () => {
    log.add('a-1');
    const first = follow();
    await settle();
    log.add('a-2', 'a-2');
    await settle();
    expect(await shared.readStream('a-2', 1, 1)).toMatchObject([{ stream: 'a-2', revision: 1 }]);
    expect(reads).toEqual([]);
    expect(await shared.readStream('a-1', 0, 1)).toMatchObject([{ stream: 'a-1', revision: 0 }]);
    expect(await shared.readStream('a-2', 0)).toHaveLength(2);
    expect(reads).toHaveLength(2);
    expect(first.seen).toEqual([1, 2, 3]);
  });
});
