import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { Message } from '../../eventsourcing/message.js';
import { projection, type ParkedStream } from '../../eventsourcing/projection.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import {
  leasesOn,
  memoryDocuments,
  memoryFaults,
  pass,
  until as untilOn,
  writtenCodec,
  writtenLog,
} from '../following/following.fixtures.js';
import { turn } from '../../eventsourcing/turn.js';
import { startProjections, type ProjectionRole, type ProjectionRoleParts } from './projection-role.js';
import { createProjector } from './projector.js';

/** Whether what cannot be taken can be taken by now. */
let mended = false;
const counting = (category: string) =>
  projection<Message<'Made', null> | Message<'Odd', null>, { made: number }, Record<string, never>>({
    name: `${category}s`,
    version: 1,
    category,
    fields: {},
    indexes: [],
    cells: [],
    amount: () => 1,
    on: {
      Made: (document) => ({ body: { made: (document?.body.made ?? 0) + 1 }, fields: {} }),
      Odd: (document) => {
        if (!mended) throw new Error('odd');
        return document;
      },
    },
  });
const [things, others] = [counting('thing'), counting('other')];
const THINGS = 'projection:things_v1';

describe('the role that fills the read models', () => {
  let clock: ManualClock;
  let log: ReturnType<typeof writtenLog>;
  let leasing: ReturnType<typeof leasesOn>;
  let memory: ReturnType<typeof memoryDocuments>;
  let shown: string[];
  let parked: ParkedStream[];
  let errors: unknown[];
  let roles: ProjectionRole[];

  beforeEach(() => {
    clock = manualClock();
    log = writtenLog();
    leasing = leasesOn(clock);
    memory = memoryDocuments(leasing.isCurrent);
    [shown, parked, errors, roles, mended] = [[], [], [], [], false];
  });
  afterEach(async () => {
    memory.hooks.before = () => Promise.resolve();
    await Promise.all(roles.map((role) => role.stop()));
  });

  const start = (holder = 'one', parts: Partial<ProjectionRoleParts> = {}): ProjectionRole => {
    const role = startProjections({
      store: log.store,
      documents: memory.documents,
      codec: writtenCodec,
      faults: memoryFaults(),
      projectors: [createProjector(things), createProjector(others)],
      leases: leasing.leases,
      holder,
      head: log.head,
      onCaughtUp: async ({ name }) => void shown.push(name),
      onParked: (_, stream) => void parked.push(stream),
      onError: (error) => void errors.push(error),
      clock,
      every: 0,
      ...parts,
    });
    roles.push(role);
    return role;
  };
  const until = (what: string, condition: () => boolean) => untilOn(clock, what, condition);
  const at = (name: 'things' | 'others'): number => memory.checkpoints.get(`${name}_v1`) ?? 0;
  const made = (key: string) => memory.jsonOf(things.collection, key);
  const bothAt = (position: number) => until(`both at ${position}`, () => at('things') === position && at('others') === position);

  it('takes what was recorded before and what comes after, each read model its own', async () => {
    log.add('thing-1', 'other-1', 'thing-1');
    const role = start();
    await bothAt(3);
    log.add('thing-2', 'thing-1');
    await bothAt(5);
    expect([made('1'), made('2'), memory.jsonOf(others.collection, '1')]).toEqual(['{"made":3}', '{"made":1}', '{"made":1}']);
    expect(role.positions()).toEqual({ things_v1: 5, others_v1: 5 });
    expect(errors).toEqual([]);
  });

  it('says that a read model can be shown once it has come as far as the log had, and not before', async () => {
    log.add('thing-1', 'thing-2');
    let letGo = (): void => undefined;
    memory.hooks.before = (what) => (what === 'apply' ? new Promise((resolve) => (letGo = resolve)) : Promise.resolve());
    start('one', { projectors: [createProjector(things)] });
    await pass(clock, 400);
    expect(shown).toEqual([]);
    letGo();
    await until('the read model in service', () => shown.length === 1);
    expect([shown, at('things')]).toEqual([['things'], 2]);
  });

  it('says so of an empty log', async () => {
    start();
    await until('both in service', () => shown.length === 2);
  });

  it('stores soon how far it is where nothing is its own', async () => {
    start();
    await until('both in service', () => shown.length === 2);
    log.add('none-1', 'none-2');
    await pass(clock, 600);
    expect([at('things'), at('others')]).toEqual([2, 2]);
  });

  it('tells of what it parks, goes on, and tries it again after a while', async () => {
    log.add('thing-1', 'thing-1:Odd', 'thing-1', 'thing-2');
    start();
    await bothAt(4);
    expect([parked.length, made('1'), made('2')]).toEqual([1, '{"made":1}', '{"made":1}']);
    mended = true;
    await pass(clock, 61_000);
    expect(made('1')).toBe('{"made":2}');
  });

  it('lets go of its leases when it is stopped, and has stored how far it is', async () => {
    log.add('thing-1', 'none-1');
    const role = start();
    await until('the end of the log', () => role.positions()['things_v1'] === 2);
    await role.stop();
    expect([at('things'), role.positions(), leasing.holderOf(THINGS)]).toEqual([2, {}, null]);
  });

  describe('of which there are two', () => {
    it('has one owner for each read model; the other stands by until that one stops', async () => {
      log.add('thing-1');
      const one = start('one');
      await bothAt(1);
      const two = start('two');
      await pass(clock, 60_000);
      expect(two.positions()).toEqual({});
      await one.stop();
      log.add('thing-1');
      await bothAt(2);
      expect([two.positions(), made('1'), errors]).toEqual([{ things_v1: 2, others_v1: 2 }, '{"made":2}', []]);
    });

    it('has another owner soon when one is gone without a word', async () => {
      let bury = (): void => undefined;
      const extend = () => new Promise<boolean>((resolve) => (bury = () => resolve(false)));
      const subscribe: ProjectionRoleParts['store']['subscribe'] = (_, signal) => log.store.subscribe(Infinity, signal);
      start('one', { leases: { ...leasing.leases, extend }, store: { ...log.store, subscribe }, projectors: [createProjector(things)] });
      await until('its beginning', () => leasing.holderOf(THINGS) === 'one');
      const two = start('two');
      log.add('thing-1');
      await pass(clock, 6_500);
      expect(two.positions()).toEqual({ things_v1: 1, others_v1: 1 });
      bury();
    });

    it('writes nothing when it slept past its lease, and stands by', async () => {
      log.add('thing-1');
      const one = start('one', { projectors: [createProjector(things)] });
      await until('the first event', () => at('things') === 1);
      // Time passes without any of its timers: what a stopped process meets when it goes on.
      clock.set(clock.now().getTime() + 60_000);
      leasing.take(THINGS);
      const before = memory.applied.length;
      log.add('thing-1');
      await turn();
      await pass(clock, 10_000);
      expect([memory.applied.length, made('1'), one.positions(), errors]).toEqual([before, '{"made":1}', {}, []]);
    });

    it('writes nothing of a batch in hand when the lease is lost meanwhile', async () => {
      log.add('thing-1');
      let letGo = (): void => undefined;
      memory.hooks.before = (what) => (what === 'apply' ? new Promise((resolve) => (letGo = resolve)) : Promise.resolve());
      const one = start('one', { projectors: [createProjector(things)] });
      await until('the batch in hand', () => 'things_v1' in one.positions());
      await pass(clock, 100);
      leasing.take(THINGS);
      letGo();
      await pass(clock, 10_000);
      expect([at('things'), made('1'), one.positions(), errors]).toEqual([0, undefined, {}, []]);
    });
  });

  describe('in an outage', () => {
    const gone = (what: string) => new StoreUnavailable(`${what} is gone`);

    it('of the database tells it once for each read model, and goes on where it was', async () => {
      log.add('thing-1');
      start();
      await bothAt(1);
      memory.hooks.before = () => Promise.reject(gone('MongoDB'));
      log.add('thing-1', 'other-1');
      await pass(clock, 30_000);
      expect(errors.length).toBeLessThanOrEqual(2);
      memory.hooks.before = () => Promise.resolve();
      await bothAt(3);
      expect(made('1')).toBe('{"made":2}');
    });

    it('of the log’s beginning tells it once for each read model, and goes on when it is back', async () => {
      let broken = true;
      start('one', { head: async () => (broken ? Promise.reject(gone('the log')) : log.head()) });
      log.add('thing-1');
      await pass(clock, 30_000);
      expect(errors).toHaveLength(2);
      broken = false;
      await bothAt(1);
    });

    it('of a subscription tells it once for each read model, goes on when it is back, and tells of the next', async () => {
      let broken = true;
      const subscribe: ProjectionRoleParts['store']['subscribe'] = (...asked) => {
        if (broken) throw gone('the log');
        return log.store.subscribe(...asked);
      };
      start('one', { store: { ...log.store, subscribe } });
      log.add('thing-1');
      await pass(clock, 30_000);
      expect(errors).toHaveLength(2);
      broken = false;
      await bothAt(1);
      await pass(clock, 1_000);
      memory.hooks.before = () => Promise.reject(gone('MongoDB'));
      log.add('thing-1', 'other-1');
      await pass(clock, 5_000);
      expect(errors).toHaveLength(4);
    });

    it('in which it stands by tells each outage of it', async () => {
      start('one');
      await until('both in service', () => shown.length === 2);
      let broken = false;
      const leases: ProjectionRoleParts['leases'] = {
        ...leasing.leases,
        acquire: (...asked) => (broken ? Promise.reject(gone('MongoDB')) : leasing.leases.acquire(...asked)),
      };
      start('two', { leases, projectors: [createProjector(things)] });
      for (const outage of [1, 2]) {
        broken = true;
        await pass(clock, 10_000);
        expect(errors).toHaveLength(outage);
        broken = false;
        await pass(clock, 2_000);
      }
    });

    it('goes on when a read model cannot be put in service, and does so later', async () => {
      let broken = true;
      const onCaughtUp: ProjectionRoleParts['onCaughtUp'] = async ({ name }) => {
        if (broken) throw gone('MongoDB');
        shown.push(name);
      };
      log.add('thing-1');
      start('one', { onCaughtUp });
      await bothAt(1);
      log.add('thing-1');
      await bothAt(2);
      broken = false;
      await until('both in service', () => shown.length === 2);
      expect(made('1')).toBe('{"made":2}');
    });
  });
});
