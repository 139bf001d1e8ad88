import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import { advanceBy, testCodec } from '../following/following.fixtures.js';
import { OPERATOR_STATE, OPERATOR_STATE_KEY, OperatorDecisions, type OperatorState } from '../operating/operator-state.js';
import { PROJECTION_FAILURES } from './projection-failures.js';
import { ProjectionRoleWorld, THINGS } from './projection-role.fixtures.js';
import type { ProjectionRoleDependencies } from './projection-role.js';
import { createProjector } from './projector.js';

describe('the projection role', () => {
  let world: ProjectionRoleWorld;
  beforeEach(() => {
    world = new ProjectionRoleWorld();
  });
  afterEach(() => world.stop());

  /** Returns decisions, and a function with which operators decide. */
  const deciding = () => {
    const decisions = new OperatorDecisions(world.memory.documents);
    const decide = async (state: OperatorState): Promise<void> => {
      const document = { key: OPERATOR_STATE_KEY, json: JSON.stringify(state), fields: {}, revision: 1 };
      await world.memory.documents.apply([{ kind: 'put', collection: OPERATOR_STATE, document }]);
      await decisions.refresh();
    };
    return { decisions, decide };
  };

  it('projects past and new events into the read model of their category', async () => {
    world.log.add('thing-1', 'other-1', 'thing-1');
    const role = world.start();
    await world.bothAt(3);
    world.log.add('thing-2', 'thing-1');
    await world.bothAt(5);
    expect([world.made('1'), world.made('2'), world.memory.jsonOf(world.others.collection, '1')]).toEqual([
      '{"made":3}',
      '{"made":1}',
      '{"made":1}',
    ]);
    expect(role.positions()).toEqual({ things_v1: 5, others_v1: 5 });
    expect(world.errors).toEqual([]);
  });

  it('reports a read model as caught up at the head of the log, not before', async () => {
    world.log.add('thing-1', 'thing-2');
    let unblock = (): void => undefined;
    world.memory.hooks.before = (what) => (what === 'apply' ? new Promise((resolve) => (unblock = resolve)) : Promise.resolve());
    world.start('one', { projectors: [createProjector(world.things)] });
    await advanceBy(world.clock, 400);
    expect(world.caughtUp).toEqual([]);
    unblock();
    await world.until('the read model in service', () => world.caughtUp.length === 1);
    expect([world.caughtUp, world.at('things')]).toEqual([['things'], 2]);
  });

  it('reports a read model of an empty log as caught up', async () => {
    world.start();
    await world.until('both in service', () => world.caughtUp.length === 2);
  });

  it('stores its position soon after events of other categories', async () => {
    world.start();
    await world.until('both in service', () => world.caughtUp.length === 2);
    world.log.add('none-1', 'none-2');
    await advanceBy(world.clock, 600);
    expect([world.at('things'), world.at('others')]).toEqual([2, 2]);
  });

  /** Proves contract 43.5. */
  it('does not change a paused read model, keeps its lease, and catches up when it is resumed', async () => {
    const { decisions, decide } = deciding();
    world.log.add('thing-1', 'other-1');
    world.start('one', { decisions });
    await world.bothAt(2);
    await decide({ paused: { things: { since: '2026-01-02T03:04:05.678Z', by: 'ann' } } });
    await advanceBy(world.clock, 2_000);
    world.log.add('thing-1', 'other-1');
    await world.until('the other read model', () => world.at('others') === 4);
    await advanceBy(world.clock, 120_000);
    expect([world.made('1'), world.leasing.ownerOf(THINGS)]).toEqual(['{"made":1}', 'one']);
    await decide({});
    await world.bothAt(4);
    expect([world.made('1'), world.errors]).toEqual(['{"made":2}', []]);
  });

  /** Proves contract 43.8. */
  it('leaves out what operators skip, and folds the stream again when they unskip it, also while it did not run', async () => {
    const { decisions, decide } = deciding();
    const decode: ReadCodec['decode'] = (event) => {
      const decoded = testCodec.decode(event);
      const skippedBy = decisions.skippedBy(event);
      return { ...decoded, meta: { ...decoded.meta, ...(skippedBy && { skippedBy }) } };
    };
    const dependencies = { decisions, codec: { ...testCodec, decode } };
    const skipped = [{ name: 'things', stream: 'thing-1', revision: 1, id: 'event-2', since: '', by: 'ann', reason: 'it is odd' }];
    world.log.add('thing-1', 'thing-1:Odd', 'thing-1');
    const one = world.start('one', dependencies);
    await world.until('the stream to be parked', () => world.parked.length === 1 && world.at('things') === 3);
    await decide({ skipped, retries: { things: 1 }, refolds: { things: { 'thing-1': 1 } } });
    await world.until('the stream to be released', () => world.made('1') === '{"made":2}');
    await one.stop();
    await decide({ retries: { things: 2 }, refolds: { things: { 'thing-1': 2 } } });
    world.start('two', dependencies);
    await world.until('the stream to be parked again', () => world.made('1') === '{"made":1}');
    expect([world.parked.length, world.errors]).toEqual([2, []]);
  });

  /** Proves contract 43.8. */
  it('does not retry before it knows what its predecessor has folded again', async () => {
    const { decisions, decide } = deciding();
    world.log.add('thing-1', 'thing-1:Odd', 'thing-1');
    await world.memory.documents.apply([], { name: 'things_v1_refolds', position: 2 });
    world.start('one', { decisions });
    await world.until('the stream to be parked', () => world.parked.length === 1 && world.at('things') === 3);
    world.isFixed = true;
    await advanceBy(world.clock, 61_000);
    expect(world.made('1')).toBe('{"made":1}');
    await decide({ refolds: { things: { 'thing-1': 2 } } });
    await advanceBy(world.clock, 61_000);
    expect(world.made('1')).toBe('{"made":2}');
  });

  it('reports parked streams, continues, and retries them later', async () => {
    world.log.add('thing-1', 'thing-1:Odd', 'thing-1', 'thing-2');
    world.start();
    await world.bothAt(4);
    expect([world.parked.length, world.made('1'), world.made('2')]).toEqual([1, '{"made":1}', '{"made":1}']);
    world.isFixed = true;
    await advanceBy(world.clock, 61_000);
    expect(world.made('1')).toBe('{"made":2}');
  });

  /** Proves contract 43.4. */
  it('stores why it has failed until it has caught up', async () => {
    let fails = true;
    const onCaughtUp = async (): Promise<void> => {
      if (fails) throw new Error('the index is missing');
    };
    world.log.add('thing-1');
    world.start('one', { projectors: [createProjector(world.things)], onCaughtUp });
    const failure = (): string | undefined => world.memory.jsonOf(PROJECTION_FAILURES, 'things_v1');
    await world.until('the failure to be stored', () => failure() !== undefined);
    expect(JSON.parse(failure() ?? '')).toEqual({ error: 'the index is missing', at: expect.any(String) });
    fails = false;
    await world.until('the failure to be cleared', () => failure() === undefined);
  });

  it('releases its leases and stores its position when it is stopped', async () => {
    world.log.add('thing-1', 'none-1');
    const role = world.start();
    await world.until('the end of the log', () => role.positions()['things_v1'] === 2);
    await role.stop();
    expect([world.at('things'), role.positions(), world.leasing.ownerOf(THINGS)]).toEqual([2, {}, null]);
  });

  describe('running twice', () => {
    it('has one owner per read model, and the other process waits until the owner stops', async () => {
      world.log.add('thing-1');
      const one = world.start('one');
      await world.bothAt(1);
      const two = world.start('two');
      await advanceBy(world.clock, 60_000);
      expect(two.positions()).toEqual({});
      await one.stop();
      world.log.add('thing-1');
      await world.bothAt(2);
      expect([two.positions(), world.made('1'), world.errors]).toEqual([{ things_v1: 2, others_v1: 2 }, '{"made":2}', []]);
    });

    it('gets a new owner soon after the former owner has crashed', async () => {
      let answer = (): void => undefined;
      const extend = () => new Promise<boolean>((resolve) => (answer = () => resolve(false)));
      const subscribe: ProjectionRoleDependencies['store']['subscribe'] = (_, signal) => world.log.store.subscribe(Infinity, signal);
      world.start('one', {
        leases: { ...world.leasing.leases, extend },
        store: { ...world.log.store, subscribe },
        projectors: [createProjector(world.things)],
      });
      await world.until('its beginning', () => world.leasing.ownerOf(THINGS) === 'one');
      const two = world.start('two');
      world.log.add('thing-1');
      await advanceBy(world.clock, 6_500);
      expect(two.positions()).toEqual({ things_v1: 1, others_v1: 1 });
      answer();
    });

    it('writes nothing after the process was suspended until the lease expired', async () => {
      world.log.add('thing-1');
      const one = world.start('one', { projectors: [createProjector(world.things)] });
      await world.until('the first event', () => world.at('things') === 1);
      // Time passes without timers, as for a suspended process.
      world.clock.set(world.clock.now().getTime() + 60_000);
      world.leasing.take(THINGS);
      const before = world.memory.applied.length;
      world.log.add('thing-1');
      await yieldToEventLoop();
      await advanceBy(world.clock, 10_000);
      expect([world.memory.applied.length, world.made('1'), one.positions(), world.errors]).toEqual([before, '{"made":1}', {}, []]);
    });

    it('writes nothing of a batch in hand when the lease is lost', async () => {
      world.log.add('thing-1');
      let finishWrite = (): void => undefined;
      world.memory.hooks.before = (what) => (what === 'apply' ? new Promise((resolve) => (finishWrite = resolve)) : Promise.resolve());
      const one = world.start('one', { projectors: [createProjector(world.things)] });
      await world.until('the batch in hand', () => 'things_v1' in one.positions());
      await advanceBy(world.clock, 100);
      world.leasing.take(THINGS);
      finishWrite();
      await advanceBy(world.clock, 10_000);
      expect([world.at('things'), world.made('1'), one.positions(), world.errors]).toEqual([0, undefined, {}, []]);
    });
  });
});
