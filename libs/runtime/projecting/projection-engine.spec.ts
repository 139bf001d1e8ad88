import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { NOTHING, ProjectionWorld } from './projection-engine.fixtures.js';

describe('a projection engine', () => {
  let world: ProjectionWorld;
  beforeEach(() => {
    world = new ProjectionWorld();
  });

  it('writes the documents and the position of a batch in one transaction', async () => {
    const engine = await world.open();
    await engine.apply(world.given('thing-1', 'thing-2', 'thing-1:Grown', 'thing-2:Gone'));
    expect(world.state()).toEqual({ ...NOTHING, at: 4, 1: '{"size":2}', cells: { '[2]': 1 } });
    expect([world.memory.applied.length, engine.position(), engine.hasUnstoredPosition()]).toEqual([1, 4, false]);
  });

  it('continues at the stored position', async () => {
    await (await world.open()).apply(world.given('thing-1', 'thing-2'));
    const next = await world.open();
    expect(next.position()).toBe(2);
    await next.apply(world.given('thing-1:Grown'));
    expect(world.state()).toEqual({ ...NOTHING, at: 3, 1: '{"size":2}', 2: '{"size":1}', cells: { '[1]': 1, '[2]': 1 } });
  });

  it('counts repeated events once', async () => {
    const engine = await world.open();
    const events = world.given('thing-1', 'thing-1:Grown');
    for (const batch of [events, events, events.slice(0, 1)]) await engine.apply(batch);
    expect(world.state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
  });

  it('creates the document again after it was deleted', async () => {
    const engine = await world.open();
    await engine.apply(world.given('thing-1', 'thing-1:Gone'));
    await engine.apply(world.given('thing-1:Made'));
    expect(world.state()).toEqual({ ...NOTHING, at: 3, 1: '{"size":1}', cells: { '[1]': 1 } });
  });

  it('writes nothing for events of other categories, and stores its position on request', async () => {
    const engine = await world.open();
    await engine.apply(world.given('other-1', 'other-2'));
    expect([engine.position(), engine.hasUnstoredPosition(), world.state()]).toEqual([2, true, NOTHING]);
    await engine.store();
    await engine.store();
    expect([engine.hasUnstoredPosition(), world.state(), world.memory.applied.length]).toEqual([false, { ...NOTHING, at: 2 }, 1]);
  });

  it('reads a document once, and reads none for a new stream', async () => {
    await (await world.open()).apply(world.given('thing-1'));
    const next = await world.open();
    world.calls.length = 0;
    await next.apply(world.given('thing-1:Grown', 'thing-2', 'thing-2:Grown'));
    await next.apply(world.given('thing-1:Grown', 'thing-2:Grown'));
    expect(world.calls).toEqual(['get', 'apply', 'apply']);
    expect(world.sizes()).toEqual({ 1: '{"size":3}', 2: '{"size":3}', 3: null });
  });

  describe('on large documents', () => {
    const LARGE = '{"size":1}'.padEnd(3_000_000);
    /** Creates things with large documents at this revision. */
    const givenLarge = async (count: number, revision = 0): Promise<readonly string[]> => {
      const keys = Array.from({ length: count }, (_, index) => String(index + 1));
      const events = world.given(...keys.map((key) => `thing-${key}`));
      const puts = keys.map((key) => ({ key, json: LARGE, fields: { size: 1 }, revision }));
      const writes = puts.map((document) => ({ kind: 'put', collection: world.things.collection, document }) as const);
      await world.memory.documents.apply(writes, { name: 'things_v1', position: events.length });
      world.memory.applied.length = 0;
      return keys.map((key) => `thing-${key}:Grown`);
    };

    it('splits a batch that is too large for one transaction', async () => {
      const grown = await givenLarge(3);
      await (await world.open()).apply(world.given(...grown));
      expect([world.memory.applied.length, world.sizes()]).toEqual([2, { 1: '{"size":2}', 2: '{"size":2}', 3: '{"size":2}' }]);
    });

    it('writes a smaller batch in one transaction', async () => {
      const grown = await givenLarge(2);
      await (await world.open()).apply(world.given(...grown));
      expect([world.memory.applied.length, world.state().at]).toEqual([1, 4]);
    });

    it('limits the size of its cache', async () => {
      const grown = await givenLarge(30, 9);
      const engine = await world.open();
      for (const name of grown) await engine.apply(world.given(name));
      world.calls.length = 0;
      await engine.apply(world.given('thing-30:Grown'));
      await engine.apply(world.given('thing-1:Grown'));
      expect(world.calls).toEqual(['apply', 'get', 'apply']);
    });
  });

  it('applies a batch again after it could not be written', async () => {
    const engine = await world.open();
    const events = world.given('thing-1', 'thing-1:Grown');
    world.memory.hooks.before = () => Promise.reject(new StoreUnavailable('MongoDB is down'));
    await expect(engine.apply(events)).rejects.toThrow(StoreUnavailable);
    expect([engine.position(), world.state()]).toEqual([0, NOTHING]);
    world.memory.hooks.before = () => Promise.resolve();
    await engine.apply(events);
    expect(world.state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
  });
});
