import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type EventBatch, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import { decodeWritten, settle, unaltered } from '../following/following.fixtures.js';
import { RelayUnderTest, tellingOf } from './relay.fixtures.js';

describe('a relay', () => {
  let under: RelayUnderTest;
  beforeEach(() => void (under = new RelayUnderTest()));
  afterEach(() => under.close());

  it('tells what was recorded before and what comes after, in the order of the log, and stores how far it is', async () => {
    under.log.add('thing-1', 'thing-2', 'thing-1');
    const relay = under.start();
    await under.until(() => under.stored === 3);
    under.log.add('thing-2');
    await under.until(() => under.stored === 4);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-1/2', 'thing-2/2']);
    expect(relay.position()).toBe(4);
  });

  it('begins at the stored position', async () => {
    under.log.add('thing-1', 'thing-1', 'thing-1');
    under.stored = 2;
    under.start();
    await under.until(() => under.stored === 3);
    expect(under.all()).toEqual(['thing-1/3']);
  });

  it('passes what no contract tells', async () => {
    under.log.add('other-1', 'thing-1', 'other-1');
    under.start();
    await under.until(() => under.stored === 3);
    expect(under.all()).toEqual(['thing-1/1']);
  });

  it('tells no more than a batch at a time, and what came meanwhile as one', async () => {
    let acknowledge = (): void => undefined;
    under.publishing = () => new Promise((resolve) => (acknowledge = resolve));
    under.log.add('thing-1');
    under.start({ batch: 3 });
    await under.until(() => under.leasing.isCurrent({ name: 'relay', holder: 'one', fence: 1 }) && under.opened === 1);
    await yieldToEventLoop();
    under.log.add('thing-2', 'thing-3');
    under.log.add('thing-4', 'thing-5');
    await under.until(() => {
      acknowledge();
      return under.stored === 5;
    });
    expect(under.all()).toHaveLength(5);
    expect(Math.max(...under.sent.map((batch) => batch.length))).toBeLessThanOrEqual(3);
    expect(under.sent.length).toBeLessThan(5);
  });

  it('tells what comes while a batch is on its way together, right after it', async () => {
    const acknowledge: (() => void)[] = [];
    under.publishing = () => new Promise((resolve) => acknowledge.push(resolve));
    under.log.add('thing-1');
    under.start();
    await under.until(() => acknowledge.length === 1);
    under.log.add('thing-2');
    await settle();
    under.log.add('thing-3');
    await settle();
    await under.until(() => {
      for (const each of acknowledge.splice(0)) each();
      return under.stored === 3;
    });
    expect(under.sent).toEqual([['thing-1/1'], ['thing-2/1', 'thing-3/1']]);
  });

  it('makes a whole batch ready while the one before it is on its way', async () => {
    let acknowledge = (): void => undefined;
    under.publishing = () => new Promise((resolve) => (acknowledge = resolve));
    const made: string[] = [];
    const decode = (event: StoredEvent): RecordedEvent => {
      made.push(event.id);
      return decodeWritten(event);
    };
    under.log.add('thing-1');
    under.start({ batch: 3, codec: { ...unaltered, decode } });
    await under.until(() => made.length === 1);
    for (const stream of ['thing-2', 'thing-3', 'thing-4']) {
      await settle();
      under.log.add(stream);
    }
    await under.until(() => made.length === 4);
    expect(under.sent).toEqual([]);
    await under.until(() => {
      acknowledge();
      return under.stored === 4;
    });
  });

  it('stores no position before the acknowledgement', async () => {
    const { relay, acknowledge } = await under.startWithOneUnacknowledged();
    expect([under.stored, relay.position()]).toEqual([0, 0]);
    acknowledge();
    await under.until(() => under.stored === 1);
  });

  it('sends a batch of unknown outcome again, by a new publisher, and says so once for each outage', async () => {
    let refusals = 3;
    under.publishing = async () => {
      if (refusals-- > 0) throw new StoreUnavailable('Kafka is gone');
    };
    under.log.add('thing-1', 'thing-2');
    under.start();
    await under.until(() => under.stored === 2);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1']);
    expect(under.errors).toHaveLength(1);
    expect(under.opened).toBe(4);
    refusals = 1;
    under.log.add('thing-3');
    await under.until(() => under.stored === 3);
    expect(under.errors).toHaveLength(2);
  });

  it('repeats what it told when the position could not be stored, and leaves nothing out', async () => {
    let refusals = 1;
    under.storing = async () => {
      if (refusals-- > 0) throw new StoreUnavailable('MongoDB is gone');
    };
    under.log.add('thing-1');
    under.start();
    await under.until(() => under.stored === 1);
    expect(under.all()).toEqual(['thing-1/1', 'thing-1/1']);
  });

  it('goes on when the log comes back', async () => {
    let broken = true;
    const subscribe = (after: number, signal: AbortSignal): AsyncIterable<EventBatch> => {
      if (broken) throw new StoreUnavailable('the log is gone');
      return under.log.store.subscribe(after, signal);
    };
    under.log.add('thing-1');
    under.start({ store: { ...under.log.store, subscribe } });
    await under.until(() => under.errors.length === 1);
    broken = false;
    await under.until(() => under.stored === 1);
  });

  it('goes on when the log breaks off in the middle', async () => {
    let broken = true;
    async function* subscribe(after: number, signal: AbortSignal): AsyncIterable<EventBatch> {
      for await (const batch of under.log.store.subscribe(after, signal)) {
        yield batch;
        if (broken) throw new StoreUnavailable('the log is gone');
      }
    }
    under.log.add('thing-1');
    under.start({ store: { ...under.log.store, subscribe } });
    await under.until(() => under.errors.length === 1);
    broken = false;
    under.log.add('thing-2');
    await under.until(() => under.stored === 2);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1']);
  });

  it('tells what comes before an event that no contract knows, and waits there until one does', async () => {
    under.log.add('thing-1', 'thing-2:Painted', 'thing-3');
    const relay = under.start();
    await under.until(() => under.errors.length === 1);
    expect(under.errors).toMatchObject([{ message: expect.stringContaining('Painted') }]);
    expect([under.all(), under.stored]).toEqual([['thing-1/1'], 1]);
    await relay.stop();
    under.start({ messageOf: tellingOf('Made', 'Painted') });
    await under.until(() => under.stored === 3);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-3/1']);
  });

  it('that is stopped finishes the batch in hand and lets go of the lease', async () => {
    const { relay, acknowledge } = await under.startWithOneUnacknowledged();
    const stopped = relay.stop();
    acknowledge();
    await stopped;
    expect(under.stored).toBe(1);
    expect(await under.leasing.leases.acquire('relay', 'two', 1_000)).not.toBeNull();
  });
});
