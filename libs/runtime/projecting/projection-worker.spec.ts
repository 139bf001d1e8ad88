import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { NOTHING, ProjectingWorld } from './projection-worker.fixtures.js';

describe('a projection at work', () => {
  let world: ProjectingWorld;
  beforeEach(() => {
    world = new ProjectingWorld();
  });

  it('writes what a batch comes to, and how far it is, in one step', async () => {
    const projecting = await world.begin();
    await projecting.take(world.given('thing-1', 'thing-2', 'thing-1:Grown', 'thing-2:Gone'));
    expect(world.state()).toEqual({ ...NOTHING, at: 4, 1: '{"size":2}', cells: { '[2]': 1 } });
    expect([world.memory.applied.length, projecting.position(), projecting.isUnstored()]).toEqual([1, 4, false]);
  });

  it('goes on where another has ended', async () => {
    await (await world.begin()).take(world.given('thing-1', 'thing-2'));
    const next = await world.begin();
    expect(next.position()).toBe(2);
    await next.take(world.given('thing-1:Grown'));
    expect(world.state()).toEqual({ ...NOTHING, at: 3, 1: '{"size":2}', 2: '{"size":1}', cells: { '[1]': 1, '[2]': 1 } });
  });

  it('counts once what comes twice', async () => {
    const projecting = await world.begin();
    const events = world.given('thing-1', 'thing-1:Grown');
    for (const batch of [events, events, events.slice(0, 1)]) await projecting.take(batch);
    expect(world.state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
  });

  it('begins a stream that comes again anew', async () => {
    const projecting = await world.begin();
    await projecting.take(world.given('thing-1', 'thing-1:Gone'));
    await projecting.take(world.given('thing-1:Made'));
    expect(world.state()).toEqual({ ...NOTHING, at: 3, 1: '{"size":1}', cells: { '[1]': 1 } });
  });

  it('writes nothing for events that are none of its own, and stores that it has passed them when it is asked to', async () => {
    const projecting = await world.begin();
    await projecting.take(world.given('other-1', 'other-2'));
    expect([projecting.position(), projecting.isUnstored(), world.state()]).toEqual([2, true, NOTHING]);
    await projecting.store();
    await projecting.store();
    expect([projecting.isUnstored(), world.state(), world.memory.applied.length]).toEqual([false, { ...NOTHING, at: 2 }, 1]);
  });

  it('reads a document once, and never one that has just begun', async () => {
    await (await world.begin()).take(world.given('thing-1'));
    const next = await world.begin();
    world.asked.length = 0;
    await next.take(world.given('thing-1:Grown', 'thing-2', 'thing-2:Grown'));
    await next.take(world.given('thing-1:Grown', 'thing-2:Grown'));
    expect(world.asked).toEqual(['get', 'apply', 'apply']);
    expect(world.sizes()).toEqual({ 1: '{"size":3}', 2: '{"size":3}', 3: null });
  });

  describe('on documents that are large', () => {
    const LARGE = '{"size":1}'.padEnd(3_000_000);
    /** Things that have begun, and whose documents are large; `revision` is what they have come to. */
    const givenLarge = async (count: number, revision = 0): Promise<readonly string[]> => {
      const keys = Array.from({ length: count }, (_, index) => String(index + 1));
      const events = world.given(...keys.map((key) => `thing-${key}`));
      const puts = keys.map((key) => ({ key, json: LARGE, fields: { size: 1 }, revision }));
      const writes = puts.map((document) => ({ kind: 'put', collection: world.things.collection, document }) as const);
      await world.memory.documents.apply(writes, { name: 'things_v1', position: events.length });
      world.memory.applied.length = 0;
      return keys.map((key) => `thing-${key}:Grown`);
    };

    it('writes in several steps what is too much for one', async () => {
      const grown = await givenLarge(3);
      await (await world.begin()).take(world.given(...grown));
      expect([world.memory.applied.length, world.sizes()]).toEqual([2, { 1: '{"size":2}', 2: '{"size":2}', 3: '{"size":2}' }]);
    });

    it('writes in one step what is not', async () => {
      const grown = await givenLarge(2);
      await (await world.begin()).take(world.given(...grown));
      expect([world.memory.applied.length, world.state().at]).toEqual([1, 4]);
    });

    it('remembers only so much of them', async () => {
      const grown = await givenLarge(30, 9);
      const projecting = await world.begin();
      for (const name of grown) await projecting.take(world.given(name));
      world.asked.length = 0;
      await projecting.take(world.given('thing-30:Grown'));
      await projecting.take(world.given('thing-1:Grown'));
      expect(world.asked).toEqual(['apply', 'get', 'apply']);
    });
  });

  it('takes a batch again that could not be written', async () => {
    const projecting = await world.begin();
    const events = world.given('thing-1', 'thing-1:Grown');
    world.memory.hooks.before = () => Promise.reject(new StoreUnavailable('MongoDB is gone'));
    await expect(projecting.take(events)).rejects.toThrow(StoreUnavailable);
    expect([projecting.position(), world.state()]).toEqual([0, NOTHING]);
    world.memory.hooks.before = () => Promise.resolve();
    await projecting.take(events);
    expect(world.state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
  });
});
