import { beforeEach, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '../../eventsourcing/ports/leases.port.js';
import { PARKED_STREAMS } from './parked-streams.js';
import { NOTHING, ProjectionWorld } from './projection-engine.fixtures.js';

describe('a projection engine', () => {
  let world: ProjectionWorld;
  beforeEach(() => {
    world = new ProjectionWorld();
  });

  describe('whose lease was lost', () => {
    it('writes nothing', async () => {
      const engine = await world.open();
      world.isOwner = false;
      await expect(engine.apply(world.given('thing-1'))).rejects.toThrow(LeaseLost);
      await engine.apply(world.given('other-1'));
      await expect(engine.store()).rejects.toThrow(LeaseLost);
      expect(world.state()).toEqual(NOTHING);
    });

    it('rejects when the stored position is ahead', async () => {
      const engine = await world.open();
      const events = world.given('thing-1', 'thing-2');
      await (await world.open()).apply(events);
      await expect(engine.apply(events)).rejects.toThrow(LeaseLost);
      expect(world.state()).toMatchObject({ at: 2, cells: { '[1]': 2 } });
    });

    it('releases no parked stream', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-1:Odd'));
      Object.assign(world, { isOwner: false, isFixed: true });
      await expect(engine.retryParked()).rejects.toThrow(LeaseLost);
      expect(world.memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1')).toBeDefined();
    });
  });

  describe('that cannot apply an event', () => {
    const parkedKey = (): string | undefined => world.memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1');

    it('parks the stream of the event in the same transaction, and continues with the other streams', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-1:Odd', 'thing-1:Grown', 'thing-2'));
      await engine.apply(world.given('thing-1:Grown', 'thing-2:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 6, 1: '{"size":1}', 2: '{"size":2}', cells: { '[1]': 1, '[2]': 1 } });
      expect(world.parked).toEqual([{ stream: 'thing-1', revision: 1, position: 2, reason: 'odd' }]);
      expect(parkedKey()).toContain('"revision":1');
    });

    it('parks a stream that cannot be decoded, and removes its document', async () => {
      const engine = await world.open();
      world.unreadable = 'event-2';
      await engine.apply(world.given('thing-1', 'thing-1:Grown', 'thing-1:Grown', 'thing-2'));
      expect(world.state()).toEqual({ ...NOTHING, at: 4, 2: '{"size":1}', cells: { '[1]': 1 } });
      expect(world.parked).toEqual([{ stream: 'thing-1', revision: 1, position: 2, reason: 'cannot be read' }]);
      expect(world.faults.of('thing-1')).toMatchObject({ revision: 1, kind: 'unreadable' });
    });

    it('removes the document of a broken stream, also if another process found the fault', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-2', 'thing-3'));
      world.unreadable = 'event-4';
      await engine.apply(world.given('thing-1:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 4, 2: '{"size":1}', 3: '{"size":1}', cells: { '[1]': 2 } });
      world.faults.record({ stream: 'thing-3', revision: 1, kind: 'altered', reason: 'event 1 of thing-3 is missing', tenant: null });
      await engine.removeBrokenDocuments();
      await engine.apply(world.given('thing-3:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 2: '{"size":1}', cells: { '[1]': 1 } });
      // Event 1 of thing-3 was appended above, so a retry applies thing-3. Event 1 of thing-2 is missing: thing-2 stays parked.
      world.faults.record({ stream: 'thing-2', revision: 1, kind: 'altered', reason: 'event 1 of thing-2 is missing', tenant: null });
      await engine.removeBrokenDocuments();
      world.unreadable = null;
      expect(await engine.retryParked()).toBe(2);
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":2}', 3: '{"size":2}', cells: { '[2]': 2 } });
      expect(world.faults.all().map(({ stream }) => stream)).toEqual(['thing-2']);
    });

    it('parks a stream once, at the event that cannot be decoded rather than the one that cannot be applied', async () => {
      const engine = await world.open();
      world.unreadable = 'event-3';
      await engine.apply(world.given('thing-1', 'thing-1:Odd', 'thing-1:Grown'));
      expect(world.parked).toEqual([{ stream: 'thing-1', revision: 2, position: 3, reason: 'cannot be read' }]);
      expect(parkedKey()).toContain('"revision":2');
      await engine.retryParked();
      expect(parkedKey()).toContain('"revision":2');
    });

    it('parks a stream that another process found broken together with the batch that has its next event', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-2'));
      world.faults.record({ stream: 'thing-1', revision: 0, kind: 'altered', reason: 'event 0 was altered', tenant: null });
      await engine.apply(world.given('thing-1:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 3, 2: '{"size":1}', cells: { '[1]': 1 } });
      expect(world.parked).toEqual([{ stream: 'thing-1', revision: 0, position: 3, reason: 'event 0 was altered' }]);
    });

    it('retries a stream only up to its own position, and counts later events once', async () => {
      const engine = await world.open();
      const events = world.given('thing-1', 'thing-1:Grown');
      world.faults.record({ stream: 'thing-1', revision: 1, kind: 'altered', reason: 'event 1 was altered', tenant: null });
      await engine.removeBrokenDocuments();
      await world.faults.clear('thing-1');
      expect(await engine.retryParked()).toBe(1);
      await engine.apply(events);
      expect(world.state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
    });

    it('skips a stream that another process parked', async () => {
      await (await world.open()).apply(world.given('thing-1', 'thing-1:Odd'));
      await (await world.open()).apply(world.given('thing-1:Grown', 'thing-2'));
      expect(world.sizes()).toEqual({ 1: '{"size":1}', 2: '{"size":1}', 3: null });
    });

    it('continues where it stopped once the fault is fixed, and counts nothing twice', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-1:Odd', 'thing-1:Grown'));
      expect(await engine.retryParked()).toBe(0);
      world.isFixed = true;
      const later = world.given('thing-1:Grown', 'thing-2');
      expect(await engine.retryParked()).toBe(1);
      expect(parkedKey()).toBeUndefined();
      await engine.apply(later);
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":3}', 2: '{"size":1}', cells: { '[3]': 1, '[1]': 1 } });
    });

    it('retries a stream whose first event could not be decoded', async () => {
      const engine = await world.open();
      world.unreadable = 'event-1';
      await engine.apply(world.given('thing-1', 'thing-1:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 2 });
      world.unreadable = null;
      expect(await engine.retryParked()).toBe(1);
      expect(world.state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
    });

    it('retries a parked stream repeatedly, also after another process has retried it', async () => {
      const first = await world.open();
      await first.apply(world.given('thing-1', 'thing-1:Odd'));
      await first.retryParked();
      const second = await world.open();
      await second.retryParked();
      world.isFixed = true;
      expect(await (await world.open()).retryParked()).toBe(1);
    });
  });

  /** Proves contract 43.8. */
  describe('of which operators skip events', () => {
    it('releases the stream, and parks it again when they unskip the event', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-1:Odd', 'thing-1:Grown', 'thing-2'));
      world.skipped = [{ stream: 'thing-1', revision: 1 }];
      await engine.refold('thing-1');
      const later = world.given('thing-1:Grown');
      await engine.apply(later);
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":3}', 2: '{"size":1}', cells: { '[3]': 1, '[1]': 1 } });
      expect(world.memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1')).toBeUndefined();
      world.skipped = [];
      await engine.refold('thing-1');
      await engine.apply(later);
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":1}', 2: '{"size":1}', cells: { '[1]': 2 } });
      expect(world.memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1')).toContain('"revision":1');
      world.isFixed = true;
      expect(await engine.retryParked()).toBe(1);
      expect(world.state()).toMatchObject({ 1: '{"size":3}', cells: { '[3]': 1, '[1]': 1 } });
    });

    it('removes the document if the other events delete it, and raises its revision with a skipped last event', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-1:Gone', 'thing-2', 'thing-2:Odd'));
      world.skipped = [
        { stream: 'thing-1', revision: 1 },
        { stream: 'thing-2', revision: 1 },
      ];
      for (const stream of ['thing-1', 'thing-2']) await engine.refold(stream);
      expect(world.state()).toEqual({ ...NOTHING, at: 4, 1: '{"size":1}', 2: '{"size":1}', cells: { '[1]': 2 } });
      expect(world.memory.revisionOf(world.things.collection, '2')).toBe(1);
      world.skipped = [];
      await engine.refold('thing-1');
      expect(world.state()).toEqual({ ...NOTHING, at: 4, 2: '{"size":1}', cells: { '[1]': 1 } });
    });

    it('keeps a broken stream parked', async () => {
      const engine = await world.open();
      await engine.apply(world.given('thing-1', 'thing-1:Grown'));
      world.unreadable = 'event-2';
      await engine.refold('thing-1');
      expect(world.state()).toEqual({ ...NOTHING, at: 2 });
    });
  });
});
