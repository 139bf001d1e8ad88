import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { runPending } from '../following/following.fixtures.js';
import { RelayUnderTest } from './relay.fixtures.js';

describe('one of two relays', () => {
  let under: RelayUnderTest;
  beforeEach(() => void (under = new RelayUnderTest()));
  afterEach(() => under.close());

  it('publishes, and the other waits until it stops', async () => {
    under.log.add('thing-1');
    const first = under.start();
    await under.until(() => under.stored === 1);
    const second = under.start({ owner: 'two' });
    under.log.add('thing-2');
    await under.until(() => under.stored === 2);
    expect([under.opened, second.position()]).toEqual([1, null]);
    await first.stop();
    under.log.add('thing-3');
    await under.until(() => second.position() === 3);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-3/1']);
  });

  it('keeps its lease while it works, also without events', async () => {
    under.log.add('thing-1');
    under.start();
    await under.until(() => under.stored === 1);
    under.start({ owner: 'two' });
    for (let step = 0; step < 600; step++) {
      under.clock.advance(100);
      await yieldToEventLoop();
    }
    expect(under.opened).toBe(1);
  });

  it('stops when its lease is lost, and stores nothing more', async () => {
    const { relay, acknowledge } = await under.startWithOneUnacknowledged();
    under.leasing.take('relay');
    acknowledge();
    await under.until(() => relay.position() === null);
    expect(under.stored).toBe(0);
    for (let step = 0; step < 100; step++) {
      under.clock.advance(100);
      await yieldToEventLoop();
    }
    expect([under.opened, under.errors]).toEqual([1, []]);
  });

  it('publishes nothing after the process was suspended until its lease expired', async () => {
    under.start();
    await under.until(() => under.opened === 1);
    await runPending();
    under.clock.set(under.clock.now().getTime() + 60_000);
    under.log.add('thing-1');
    await runPending();
    expect(under.all()).toEqual([]);
    await under.until(() => under.stored === 1);
    expect(under.opened).toBe(2);
  });

  it('publishes nothing if it lost its lease while its publisher started', async () => {
    under.log.add('thing-1');
    under.start({
      openPublisher: () => {
        under.leasing.take('relay');
        return under.openPublisher();
      },
    });
    await under.until(() => under.opened === 1);
    await runPending();
    expect([under.all(), under.errors]).toEqual([[], []]);
  });

  it('starts again when a newer publisher fences it while it owns the lease', async () => {
    under.start();
    await under.until(() => under.opened === 1);
    await runPending();
    await under.openPublisher();
    under.log.add('thing-1');
    await under.until(() => under.stored === 1);
    expect([under.all(), under.opened, under.errors]).toEqual([['thing-1/1'], 3, []]);
  });
});
