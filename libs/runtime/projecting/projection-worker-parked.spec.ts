import { beforeEach, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '../../eventsourcing/ports/leases.port.js';
import { PARKED_STREAMS } from './parked-streams.js';
import { NOTHING, ProjectingWorld } from './projection-worker.fixtures.js';

describe('a projection at work', () => {
  let world: ProjectingWorld;
  beforeEach(() => {
    world = new ProjectingWorld();
  });

  describe('whose lease is another’s', () => {
    it('writes nothing', async () => {
      const projecting = await world.begin();
      world.isOurs = false;
      await expect(projecting.take(world.given('thing-1'))).rejects.toThrow(LeaseLost);
      await projecting.take(world.given('other-1'));
      await expect(projecting.store()).rejects.toThrow(LeaseLost);
      expect(world.state()).toEqual(NOTHING);
    });

    it('is told so too by a position that is ahead of it', async () => {
      const projecting = await world.begin();
      const events = world.given('thing-1', 'thing-2');
      await (await world.begin()).take(events);
      await expect(projecting.take(events)).rejects.toThrow(LeaseLost);
      expect(world.state()).toMatchObject({ at: 2, cells: { '[1]': 2 } });
    });

    it('frees no parked stream', async () => {
      const projecting = await world.begin();
      await projecting.take(world.given('thing-1', 'thing-1:Odd'));
      Object.assign(world, { isOurs: false, mended: true });
      await expect(projecting.retryParked()).rejects.toThrow(LeaseLost);
      expect(world.memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1')).toBeDefined();
    });
  });

  describe('that cannot take an event', () => {
    const parkedKey = (): string | undefined => world.memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1');

    it('parks its stream, in the same step, and goes on with the others', async () => {
      const projecting = await world.begin();
      await projecting.take(world.given('thing-1', 'thing-1:Odd', 'thing-1:Grown', 'thing-2'));
      await projecting.take(world.given('thing-1:Grown', 'thing-2:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 6, 1: '{"size":1}', 2: '{"size":2}', cells: { '[1]': 1, '[2]': 1 } });
      expect(world.parked).toEqual([{ stream: 'thing-1', revision: 1, position: 2, reason: 'odd' }]);
      expect(parkedKey()).toContain('"revision":1');
    });

    it('parks a stream that cannot be read any further, and shows no more of it', async () => {
      const projecting = await world.begin();
      world.unreadable = 'event-2';
      await projecting.take(world.given('thing-1', 'thing-1:Grown', 'thing-1:Grown', 'thing-2'));
      expect(world.state()).toEqual({ ...NOTHING, at: 4, 2: '{"size":1}', cells: { '[1]': 1 } });
      expect(world.parked).toEqual([{ stream: 'thing-1', revision: 1, position: 2, reason: 'cannot be read' }]);
      expect(world.faults.of('thing-1')).toMatchObject({ revision: 1, kind: 'unreadable' });
    });

    it('takes out what it showed of a stream that turns out to be broken, also where another found it', async () => {
      const projecting = await world.begin();
      await projecting.take(world.given('thing-1', 'thing-2', 'thing-3'));
      world.unreadable = 'event-4';
      await projecting.take(world.given('thing-1:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 4, 2: '{"size":1}', 3: '{"size":1}', cells: { '[1]': 2 } });
      world.faults.note({ stream: 'thing-3', revision: 1, kind: 'altered', reason: 'event 1 of thing-3 is missing', tenant: null });
      await projecting.withdrawBroken();
      await projecting.take(world.given('thing-3:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 2: '{"size":1}', cells: { '[1]': 1 } });
      // The event that is missing is there by now; a stream that still lacks one stays parked.
      world.faults.note({ stream: 'thing-2', revision: 1, kind: 'altered', reason: 'event 1 of thing-2 is missing', tenant: null });
      await projecting.withdrawBroken();
      world.unreadable = null;
      expect(await projecting.retryParked()).toBe(2);
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":2}', 3: '{"size":2}', cells: { '[2]': 2 } });
      expect(world.faults.all().map(({ stream }) => stream)).toEqual(['thing-2']);
    });

    it('parks a stream once, where it cannot be read rather than where it cannot be taken', async () => {
      const projecting = await world.begin();
      world.unreadable = 'event-3';
      await projecting.take(world.given('thing-1', 'thing-1:Odd', 'thing-1:Grown'));
      expect(world.parked).toEqual([{ stream: 'thing-1', revision: 2, position: 3, reason: 'cannot be read' }]);
      expect(parkedKey()).toContain('"revision":2');
      await projecting.retryParked();
      expect(parkedKey()).toContain('"revision":2');
    });

    it('leaves a stream parked that another has parked', async () => {
      await (await world.begin()).take(world.given('thing-1', 'thing-1:Odd'));
      await (await world.begin()).take(world.given('thing-1:Grown', 'thing-2'));
      expect(world.sizes()).toEqual({ 1: '{"size":1}', 2: '{"size":1}', 3: null });
    });

    it('takes it up where it stopped once that is mended, up to its end, and counts nothing twice', async () => {
      const projecting = await world.begin();
      await projecting.take(world.given('thing-1', 'thing-1:Odd', 'thing-1:Grown'));
      expect(await projecting.retryParked()).toBe(0);
      world.mended = true;
      const later = world.given('thing-1:Grown', 'thing-2');
      expect(await projecting.retryParked()).toBe(1);
      expect(parkedKey()).toBeUndefined();
      await projecting.take(later);
      expect(world.state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":3}', 2: '{"size":1}', cells: { '[3]': 1, '[1]': 1 } });
    });

    it('takes up a stream whose very first event it could not take', async () => {
      const projecting = await world.begin();
      world.unreadable = 'event-1';
      await projecting.take(world.given('thing-1', 'thing-1:Grown'));
      expect(world.state()).toEqual({ ...NOTHING, at: 2 });
      world.unreadable = null;
      expect(await projecting.retryParked()).toBe(1);
      expect(world.state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
    });

    it('tries again and again, also after another has', async () => {
      const first = await world.begin();
      await first.take(world.given('thing-1', 'thing-1:Odd'));
      await first.retryParked();
      const second = await world.begin();
      await second.retryParked();
      world.mended = true;
      expect(await (await world.begin()).retryParked()).toBe(1);
    });
  });
});
