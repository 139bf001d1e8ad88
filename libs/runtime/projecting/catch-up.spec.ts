import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ProjectionTarget } from '../../eventsourcing/projecting.js';
import { catchUp } from './catch-up.js';
import { ProjectionWorld } from './projection-engine.fixtures.js';

/** A read model of things that catches up in batches of two events. Each batch is written when `finishWrite` is called. */
const startOn = (...names: readonly string[]) => startWith({}, ...names);

/** Like `startOn`. Each event has `characters` more, and a batch has at most `batch` events. */
const startWith = ({ characters = 0, batch = 2 }: { characters?: number; batch?: number }, ...names: readonly string[]) => {
  const world = new ProjectionWorld();
  const events = world.given(...names).map((event) => ({ ...event, data: event.data.padEnd(event.data.length + characters) }));
  const calls: string[] = [];
  const limits: number[] = [];
  const unfinished: { readonly finish: () => void; readonly fail: (error: Error) => void }[] = [];
  const readAll = async (after: number, limit: number): Promise<readonly StoredEvent[]> => {
    calls.push('read');
    limits.push(limit);
    return events.slice(after, after + limit);
  };
  const parked = new Set<string>();
  const caughtUp = world
    .target(({ stream }) => void parked.add(stream))
    .then(async (target) => {
      const held: ProjectionTarget = {
        position: () => target.position(),
        isParked: (...args) => target.isParked(...args),
        parkedStreams: () => target.parkedStreams(),
        load: (...args) => target.load(...args),
        get: (...args) => target.get(...args),
        async store(changes) {
          calls.push('write');
          await new Promise<void>((resolve, reject) => unfinished.push({ finish: resolve, fail: reject }));
          await target.store(changes);
        },
      };
      return catchUp({ readAll }, await world.openOn(held), { batch });
    });
  /** Waits until a batch is being written, and lets `end` end it. */
  const endWrite = async (end: (write: (typeof unfinished)[number]) => void): Promise<void> => {
    while (unfinished.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const write = unfinished.shift();
    if (write) end(write);
  };
  const append = (...more: readonly string[]): void => void events.push(...world.given(...more));
  return { world, append, calls, limits, parked, caughtUp, finishWrite: () => endWrite(({ finish }) => finish()), endWrite, unfinished };
};

const untilIdle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const THINGS = ['thing-1', 'thing-2', 'thing-3', 'thing-4', 'thing-5'];

describe('a read model that catches up', () => {
  it('reads and writes fewer events at a time if they are large', async () => {
    const { calls, limits, caughtUp, finishWrite, world } = startWith({ characters: 200_000, batch: 10 }, ...THINGS);
    for (let write = 0; write < 3; write++) await finishWrite();
    expect(await caughtUp).toBe(THINGS.length);
    // The first read gets more than fits into a batch, and the last one nothing.
    expect([limits, calls.filter((call) => call === 'write').length]).toEqual([[10, 2, 2, 2, 10], 3]);
    expect(await world.memory.documents.checkpoint('things_v1')).toBe(THINGS.length);
  });

  it('reads the next batch while one is written, and writes one at a time', async () => {
    const { calls, caughtUp, finishWrite, world } = startOn('thing-1', 'thing-2', 'thing-3', 'thing-1:Grown');
    await untilIdle();
    expect(calls).toEqual(['read', 'write', 'read']);
    await finishWrite();
    await finishWrite();
    expect(await caughtUp).toBe(4);
    expect(world.state()).toMatchObject({ at: 4, 1: '{"size":2}', 2: '{"size":1}', 3: '{"size":1}' });
  });

  // Its write does not put the read model into service then, because the log is longer. So nobody else would handle the event.
  it('handles an event that is appended while the last batch is written', async () => {
    const { append, caughtUp, finishWrite, unfinished, world } = startOn('thing-1', 'thing-2');
    await untilIdle();
    append('thing-3');
    await finishWrite();
    await untilIdle();
    expect(unfinished).toHaveLength(1);
    await finishWrite();
    expect(await caughtUp).toBe(3);
    expect(world.state()).toMatchObject({ at: 3, 3: '{"size":1}' });
  });

  it('continues a document that is being written', async () => {
    const { caughtUp, finishWrite, world } = startOn('thing-1', 'thing-2', 'thing-1:Grown', 'thing-2:Gone', 'thing-1:Grown', 'thing-2');
    for (let write = 0; write < 3; write++) {
      await untilIdle();
      await finishWrite();
    }
    await caughtUp;
    expect(world.state()).toMatchObject({ 1: '{"size":3}', 2: '{"size":1}' });
  });

  it('parks a stream after the batch that is being written', async () => {
    const { caughtUp, finishWrite, parked, world } = startOn('thing-1', 'thing-2', 'thing-1:Odd', 'thing-3');
    await untilIdle();
    expect(parked.size).toBe(0);
    await finishWrite();
    await finishWrite();
    await caughtUp;
    expect([...parked]).toEqual(['thing-1']);
    expect(world.state()).toMatchObject({ at: 4, 1: '{"size":1}', 3: '{"size":1}' });
  });

  it('rejects if a batch cannot be written, and writes no later batch', async () => {
    const { caughtUp, endWrite, unfinished, world } = startOn('thing-1', 'thing-2', 'thing-3', 'thing-4');
    await endWrite(({ fail }) => fail(new Error('the disk is full')));
    await expect(caughtUp).rejects.toThrow('the disk is full');
    expect([unfinished, world.state().at]).toEqual([[], 0]);
  });
});
