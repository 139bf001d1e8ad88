import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type EventBatch, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { decodeTestEvent, runPending, trustingCodec } from '../following/following.fixtures.js';
import { RelayUnderTest, messagesFor } from './relay.fixtures.js';

describe('a relay', () => {
  let under: RelayUnderTest;
  beforeEach(() => void (under = new RelayUnderTest()));
  afterEach(() => under.close());

  it('publishes past and new events in log order, and stores its position', async () => {
    under.log.add('thing-1', 'thing-2', 'thing-1');
    const relay = under.start();
    await under.until(() => under.stored === 3);
    under.log.add('thing-2');
    await under.until(() => under.stored === 4);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-1/2', 'thing-2/2']);
    expect(relay.position()).toBe(4);
  });

  it('starts at the stored position', async () => {
    under.log.add('thing-1', 'thing-1', 'thing-1');
    under.stored = 2;
    under.start();
    await under.until(() => under.stored === 3);
    expect(under.all()).toEqual(['thing-1/3']);
  });

  it('skips events without a message', async () => {
    under.log.add('other-1', 'thing-1', 'other-1');
    under.start();
    await under.until(() => under.stored === 3);
    expect(under.all()).toEqual(['thing-1/1']);
  });

  it('publishes at most one full batch at a time, and combines the events that arrived meanwhile', async () => {
    let acknowledge = (): void => undefined;
    under.publishing = () => new Promise((resolve) => (acknowledge = resolve));
    under.log.add('thing-1');
    under.start({ batch: 3 });
    await under.until(() => under.leasing.isCurrent({ name: 'relay', owner: 'one', fence: 1 }) && under.opened === 1);
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

  it('publishes all events that arrive during a batch as one batch, right after it', async () => {
    const acknowledge: (() => void)[] = [];
    under.publishing = () => new Promise((resolve) => acknowledge.push(resolve));
    under.log.add('thing-1');
    under.start();
    await under.until(() => acknowledge.length === 1);
    under.log.add('thing-2');
    await runPending();
    under.log.add('thing-3');
    await runPending();
    await under.until(() => {
      for (const each of acknowledge.splice(0)) each();
      return under.stored === 3;
    });
    expect(under.sent).toEqual([['thing-1/1'], ['thing-2/1', 'thing-3/1']]);
  });

  it('prepares a whole batch while the previous one is being sent', async () => {
    let acknowledge = (): void => undefined;
    under.publishing = () => new Promise((resolve) => (acknowledge = resolve));
    const made: string[] = [];
    const decode = (event: StoredEvent): RecordedEvent => {
      made.push(event.id);
      return decodeTestEvent(event);
    };
    under.log.add('thing-1');
    under.start({ batch: 3, codec: { ...trustingCodec, decode } });
    await under.until(() => made.length === 1);
    for (const stream of ['thing-2', 'thing-3', 'thing-4']) {
      await runPending();
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

  it('sends a batch with an unknown outcome again with a new publisher, and reports each outage once', async () => {
    let failures = 3;
    under.publishing = async () => {
      if (failures-- > 0) throw new StoreUnavailable('Kafka is down');
    };
    under.log.add('thing-1', 'thing-2');
    under.start();
    await under.until(() => under.stored === 2);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1']);
    expect(under.errors).toHaveLength(1);
    expect(under.opened).toBe(4);
    failures = 1;
    under.log.add('thing-3');
    await under.until(() => under.stored === 3);
    expect(under.errors).toHaveLength(2);
  });

  it('repeats messages when the position could not be stored, and skips none', async () => {
    let failures = 1;
    under.storing = async () => {
      if (failures-- > 0) throw new StoreUnavailable('MongoDB is down');
    };
    under.log.add('thing-1');
    under.start();
    await under.until(() => under.stored === 1);
    expect(under.all()).toEqual(['thing-1/1', 'thing-1/1']);
  });

  it('continues when the log is available again', async () => {
    let broken = true;
    const subscribe = (after: number, signal: AbortSignal): AsyncIterable<EventBatch> => {
      if (broken) throw new StoreUnavailable('the log is down');
      return under.log.store.subscribe(after, signal);
    };
    under.log.add('thing-1');
    under.start({ store: { ...under.log.store, subscribe } });
    await under.until(() => under.errors.length === 1);
    broken = false;
    await under.until(() => under.stored === 1);
  });

  it('continues after the subscription fails', async () => {
    let broken = true;
    async function* subscribe(after: number, signal: AbortSignal): AsyncIterable<EventBatch> {
      for await (const batch of under.log.store.subscribe(after, signal)) {
        yield batch;
        if (broken) throw new StoreUnavailable('the log is down');
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

  it('publishes the events before an event of an unknown type, and waits there until the type is declared', async () => {
    under.log.add('thing-1', 'thing-2:Painted', 'thing-3');
    const relay = under.start();
    await under.until(() => under.errors.length === 1);
    expect(under.errors).toMatchObject([{ message: expect.stringContaining('Painted') }]);
    expect([under.all(), under.stored]).toEqual([['thing-1/1'], 1]);
    await relay.stop();
    under.start({ messageOf: messagesFor('Made', 'Painted') });
    await under.until(() => under.stored === 3);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-3/1']);
  });

  it('finishes the batch in hand and releases the lease when it is stopped', async () => {
    const { relay, acknowledge } = await under.startWithOneUnacknowledged();
    const stopped = relay.stop();
    acknowledge();
    await stopped;
    expect(under.stored).toBe(1);
    expect(await under.leasing.leases.acquire('relay', 'two', 1_000)).not.toBeNull();
  });
});
