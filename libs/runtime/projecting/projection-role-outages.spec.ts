import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { advanceBy } from '../following/following.fixtures.js';
import { ProjectionRoleWorld } from './projection-role.fixtures.js';
import type { ProjectionRoleDependencies } from './projection-role.js';
import { createProjector } from './projector.js';

describe('the projection role', () => {
  let world: ProjectionRoleWorld;
  beforeEach(() => {
    world = new ProjectionRoleWorld();
  });
  afterEach(() => world.stop());

  describe('in an outage', () => {
    const unavailable = (what: string) => new StoreUnavailable(`${what} is down`);

    it('of the database reports it once per read model, and continues where it was', async () => {
      world.log.add('thing-1');
      world.start();
      await world.bothAt(1);
      world.memory.hooks.before = () => Promise.reject(unavailable('MongoDB'));
      world.log.add('thing-1', 'other-1');
      await advanceBy(world.clock, 30_000);
      expect(world.errors.length).toBeLessThanOrEqual(2);
      world.memory.hooks.before = () => Promise.resolve();
      await world.bothAt(3);
      expect(world.made('1')).toBe('{"made":2}');
    });

    it('of the log at the start reports it once per read model, and continues afterwards', async () => {
      let broken = true;
      world.start('one', { head: async () => (broken ? Promise.reject(unavailable('the log')) : world.log.head()) });
      world.log.add('thing-1');
      await advanceBy(world.clock, 30_000);
      expect(world.errors).toHaveLength(2);
      broken = false;
      await world.bothAt(1);
    });

    it('of a subscription reports it once per read model, continues afterwards, and reports the next outage', async () => {
      let broken = true;
      const subscribe: ProjectionRoleDependencies['store']['subscribe'] = (...args) => {
        if (broken) throw unavailable('the log');
        return world.log.store.subscribe(...args);
      };
      world.start('one', { store: { ...world.log.store, subscribe } });
      world.log.add('thing-1');
      await advanceBy(world.clock, 30_000);
      expect(world.errors).toHaveLength(2);
      broken = false;
      await world.bothAt(1);
      await advanceBy(world.clock, 1_000);
      world.memory.hooks.before = () => Promise.reject(unavailable('MongoDB'));
      world.log.add('thing-1', 'other-1');
      await advanceBy(world.clock, 5_000);
      expect(world.errors).toHaveLength(4);
    });

    it('of the leases during standby reports each outage', async () => {
      world.start('one');
      await world.until('both in service', () => world.caughtUp.length === 2);
      let broken = false;
      const leases: ProjectionRoleDependencies['leases'] = {
        ...world.leasing.leases,
        acquire: (...args) => (broken ? Promise.reject(unavailable('MongoDB')) : world.leasing.leases.acquire(...args)),
      };
      world.start('two', { leases, projectors: [createProjector(world.things)] });
      for (const outage of [1, 2]) {
        broken = true;
        await advanceBy(world.clock, 10_000);
        expect(world.errors).toHaveLength(outage);
        broken = false;
        await advanceBy(world.clock, 2_000);
      }
    });

    it('projects while a read model cannot be put into service, and puts it into service later', async () => {
      let broken = true;
      const onCaughtUp: ProjectionRoleDependencies['onCaughtUp'] = async ({ name }) => {
        if (broken) throw unavailable('MongoDB');
        world.caughtUp.push(name);
      };
      world.log.add('thing-1');
      world.start('one', { onCaughtUp });
      await world.bothAt(1);
      world.log.add('thing-1');
      await world.bothAt(2);
      broken = false;
      await world.until('both in service', () => world.caughtUp.length === 2);
      expect(world.made('1')).toBe('{"made":2}');
    });
  });
});
