import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable, type EventBatch, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../eventsourcing/handle.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import { LeaseLost } from '../../eventsourcing/ports/leases.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';
import type { PublicMessage, Publisher } from '../../eventsourcing/ports/publisher.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import {
  decodeWritten,
  leasesOn,
  memoryFaults,
  pass,
  settle,
  unaltered,
  until as untilOn,
  writtenCodec,
  writtenLog,
} from '../following/following.fixtures.js';
import { turn } from '../../eventsourcing/turn.js';
import { PARKED_STREAMS } from '../projecting/parked-streams.js';
import { republish } from './republish.js';
import { notingFaults } from '../projecting/stream-faults.js';
import { startRelay, type Relay, type RelayParts } from './relay.js';

/** What outsiders are told of things, of which they know these types of events. */
const tellingOf =
  (...types: readonly string[]): RelayParts['messageOf'] =>
  ({ type, meta: { stream: key, revision } }) => {
    if (!key.startsWith('thing-')) return null;
    if (!types.includes(type)) throw new Error(`nobody knows what ${type} tells`);
    return { topic: 'things', key, attributes: { subject: key, sequence: String(revision + 1) }, data: '{}' };
  };

const told = ({ attributes }: PublicMessage): string => `${attributes['subject']}/${attributes['sequence']}`;

describe('a relay', () => {
  let clock: ManualClock;
  let log: ReturnType<typeof writtenLog>;
  let leasing: ReturnType<typeof leasesOn>;
  let sent: string[][];
  let stored: number;
  let faults: ReturnType<typeof memoryFaults>;
  let parked: string[];
  /** The streams that wait, as they are stored. */
  let waiting: Map<string, string>;
  let errors: unknown[];
  let opened: number;
  /** Stands between a batch and its acknowledgement. */
  let publishing: (messages: readonly PublicMessage[]) => Promise<void>;
  let storing: () => Promise<void>;
  let relays: Relay[];
  /** The topics as the brokers have them. */
  let cluster: string;
  let ends: Record<string, number>;
  let recorded: StoredDocument | null;

  beforeEach(() => {
    clock = manualClock();
    log = writtenLog();
    leasing = leasesOn(clock);
    [sent, stored, errors, opened, relays] = [[], 0, [], 0, []];
    [cluster, ends, recorded] = ['kafka-one', {}, null];
    [faults, parked, waiting] = [memoryFaults(), [], new Map<string, string>()];
    publishing = storing = () => Promise.resolve();
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
  });

  /** Of several the last one reaches somebody. */
  const openPublisher = async (): Promise<Publisher> => {
    const mine = ++opened;
    return {
      async publish(messages) {
        if (mine !== opened) throw new LeaseLost('a newer one has begun');
        await publishing(messages);
        if (mine !== opened) throw new LeaseLost('a newer one has begun');
        sent.push(messages.map(told));
        ends['things/0'] = (ends['things/0'] ?? 0) + messages.length;
        return { ...ends };
      },
      close: () => Promise.resolve(),
    };
  };
  const documents: RelayParts['documents'] = {
    checkpoint: async () => stored,
    prepare: async () => undefined,
    get: async () => recorded,
    texts: async () => [...waiting.values()],
    async apply(writes, checkpoint) {
      for (const write of writes.filter(({ collection }) => collection === PARKED_STREAMS)) {
        if (write.kind === 'put') waiting.set(write.document.key, write.document.json);
        else if (write.kind === 'delete') waiting.delete(write.key);
      }
      await storing();
      if (checkpoint?.lease && !leasing.isCurrent(checkpoint.lease)) throw new LeaseLost('another holds it');
      stored = checkpoint?.position ?? stored;
      for (const write of writes) if (write.kind === 'put') recorded = write.document;
      return true;
    },
  };
  const start = (parts: Partial<RelayParts> = {}): Relay => {
    const { leases } = leasing;
    const onError = (error: unknown): void => void errors.push(error);
    const common = {
      store: log.store,
      codec: writtenCodec,
      faults,
      onParked: (_: string, { stream, revision }: ParkedStream): void => void parked.push(`${stream}/${revision}`),
      messageOf: tellingOf('Made'),
      openPublisher,
      topicsNow: async () => ({ cluster, ends: { ...ends } }),
      documents,
      leases,
      holder: 'one',
      clock,
      every: 0,
      onError,
    };
    const relay = startRelay({ ...common, ...parts });
    relays.push(relay);
    return relay;
  };
  const until = (condition: () => boolean): Promise<void> => untilOn(clock, 'what is to come', condition);
  const all = (): string[] => sent.flat();

  it('tells what was recorded before and what comes after, in the order of the log, and stores how far it is', async () => {
    log.add('thing-1', 'thing-2', 'thing-1');
    const relay = start();
    await until(() => stored === 3);
    log.add('thing-2');
    await until(() => stored === 4);
    expect(all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-1/2', 'thing-2/2']);
    expect(relay.position()).toBe(4);
  });

  it('begins at the stored position', async () => {
    log.add('thing-1', 'thing-1', 'thing-1');
    stored = 2;
    start();
    await until(() => stored === 3);
    expect(all()).toEqual(['thing-1/3']);
  });

  it('passes what no contract tells', async () => {
    log.add('other-1', 'thing-1', 'other-1');
    start();
    await until(() => stored === 3);
    expect(all()).toEqual(['thing-1/1']);
  });

  it('tells no more than a batch at a time, and what came meanwhile as one', async () => {
    let acknowledge = (): void => undefined;
    publishing = () => new Promise((resolve) => (acknowledge = resolve));
    log.add('thing-1');
    start({ batch: 3 });
    await until(() => leasing.isCurrent({ name: 'relay', holder: 'one', fence: 1 }) && opened === 1);
    await turn();
    log.add('thing-2', 'thing-3');
    log.add('thing-4', 'thing-5');
    await until(() => {
      acknowledge();
      return stored === 5;
    });
    expect(all()).toHaveLength(5);
    expect(Math.max(...sent.map((batch) => batch.length))).toBeLessThanOrEqual(3);
    expect(sent.length).toBeLessThan(5);
  });

  it('tells what comes while a batch is on its way together, right after it', async () => {
    const acknowledge: (() => void)[] = [];
    publishing = () => new Promise((resolve) => acknowledge.push(resolve));
    log.add('thing-1');
    start();
    await until(() => acknowledge.length === 1);
    log.add('thing-2');
    await settle();
    log.add('thing-3');
    await settle();
    await until(() => {
      for (const each of acknowledge.splice(0)) each();
      return stored === 3;
    });
    expect(sent).toEqual([['thing-1/1'], ['thing-2/1', 'thing-3/1']]);
  });

  it('makes a whole batch ready while the one before it is on its way', async () => {
    let acknowledge = (): void => undefined;
    publishing = () => new Promise((resolve) => (acknowledge = resolve));
    const made: string[] = [];
    const decode = (event: StoredEvent): RecordedEvent => {
      made.push(event.id);
      return decodeWritten(event);
    };
    log.add('thing-1');
    start({ batch: 3, codec: { ...unaltered, decode } });
    await until(() => made.length === 1);
    for (const stream of ['thing-2', 'thing-3', 'thing-4']) {
      await settle();
      log.add(stream);
    }
    await until(() => made.length === 4);
    expect(sent).toEqual([]);
    await until(() => {
      acknowledge();
      return stored === 4;
    });
  });

  it('stores no position before the acknowledgement', async () => {
    let acknowledge = (): void => undefined;
    publishing = () => new Promise((resolve) => (acknowledge = resolve));
    log.add('thing-1');
    const relay = start();
    await until(() => opened === 1);
    await settle();
    expect([stored, relay.position()]).toEqual([0, 0]);
    acknowledge();
    await until(() => stored === 1);
  });

  it('sends a batch of unknown outcome again, by a new publisher, and says so once for each outage', async () => {
    let refusals = 3;
    publishing = async () => {
      if (refusals-- > 0) throw new StoreUnavailable('Kafka is gone');
    };
    log.add('thing-1', 'thing-2');
    start();
    await until(() => stored === 2);
    expect(all()).toEqual(['thing-1/1', 'thing-2/1']);
    expect(errors).toHaveLength(1);
    expect(opened).toBe(4);
    refusals = 1;
    log.add('thing-3');
    await until(() => stored === 3);
    expect(errors).toHaveLength(2);
  });

  it('repeats what it told when the position could not be stored, and leaves nothing out', async () => {
    let refusals = 1;
    storing = async () => {
      if (refusals-- > 0) throw new StoreUnavailable('MongoDB is gone');
    };
    log.add('thing-1');
    start();
    await until(() => stored === 1);
    expect(all()).toEqual(['thing-1/1', 'thing-1/1']);
  });

  it('goes on when the log comes back', async () => {
    let broken = true;
    const subscribe = (after: number, signal: AbortSignal): AsyncIterable<EventBatch> => {
      if (broken) throw new StoreUnavailable('the log is gone');
      return log.store.subscribe(after, signal);
    };
    log.add('thing-1');
    start({ store: { ...log.store, subscribe } });
    await until(() => errors.length === 1);
    broken = false;
    await until(() => stored === 1);
  });

  it('goes on when the log breaks off in the middle', async () => {
    let broken = true;
    async function* subscribe(after: number, signal: AbortSignal): AsyncIterable<EventBatch> {
      for await (const batch of log.store.subscribe(after, signal)) {
        yield batch;
        if (broken) throw new StoreUnavailable('the log is gone');
      }
    }
    log.add('thing-1');
    start({ store: { ...log.store, subscribe } });
    await until(() => errors.length === 1);
    broken = false;
    log.add('thing-2');
    await until(() => stored === 2);
    expect(all()).toEqual(['thing-1/1', 'thing-2/1']);
  });

  it('tells what comes before an event that no contract knows, and waits there until one does', async () => {
    log.add('thing-1', 'thing-2:Painted', 'thing-3');
    const relay = start();
    await until(() => errors.length === 1);
    expect(errors).toMatchObject([{ message: expect.stringContaining('Painted') }]);
    expect([all(), stored]).toEqual([['thing-1/1'], 1]);
    await relay.stop();
    start({ messageOf: tellingOf('Made', 'Painted') });
    await until(() => stored === 3);
    expect(all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-3/1']);
  });

  describe('of whose topics messages are lost', () => {
    const publishTwo = async (): Promise<void> => {
      log.add('thing-1', 'thing-2');
      const relay = start();
      await until(() => stored === 2);
      await relay.stop();
    };

    it.each([
      ['that were deleted', () => (ends = {}), /things\/0 ends at 0, and was published up to 2.*petstore topics republish/],
      ['that end earlier', () => (ends['things/0'] = 1), /things\/0 ends at 1, and was published up to 2/],
      ['that are another cluster’s', () => (cluster = 'kafka-two'), /cluster kafka-one, and KAFKA_BROKERS names kafka-two/],
    ])('publishes nothing to those %s, and says why', async (_, lose, words) => {
      await publishTwo();
      lose();
      log.add('thing-3');
      const relay = start();
      await until(() => relay.refusal() !== null);
      expect(relay.refusal()).toMatch(words);
      expect(errors).toMatchObject([{ name: 'TopicsLost' }]);
      expect([all(), stored, opened]).toEqual([['thing-1/1', 'thing-2/1'], 2, 1]);
    });

    it('goes on once they are there again', async () => {
      await publishTwo();
      ends = {};
      const relay = start();
      await until(() => relay.refusal() !== null);
      ends = { 'things/0': 2 };
      log.add('thing-3');
      await until(() => stored === 3);
      expect(relay.refusal()).toBeNull();
    });

    it('publishes everything again once an operator has it begin anew', async () => {
      await publishTwo();
      ends = {};
      const relay = start();
      await until(() => relay.refusal() !== null);
      await relay.stop();
      const begun = await republish({
        documents: { prepare: async () => undefined, clear: async () => void (recorded = null) },
        forgetCheckpoint: async () => void (stored = 0),
        leases: leasing.leases,
        holder: 'operator',
        clock,
      });
      expect(begun).toBe(true);
      start();
      await until(() => stored === 2);
      expect(all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-1/1', 'thing-2/1']);
    });

    it('is left alone by an operator while it is at work', async () => {
      start();
      await until(() => opened === 1);
      let answer: boolean | null = null;
      const never = async (): Promise<void> => Promise.reject(new Error('nothing may be forgotten'));
      const documents = { prepare: never, clear: never };
      void republish({ documents, forgetCheckpoint: never, leases: leasing.leases, holder: 'operator', clock }).then((is) => (answer = is));
      await until(() => answer !== null);
      expect(answer).toBe(false);
    });
  });

  describe('of which there are two', () => {
    it('works, and the other stands by until it stops', async () => {
      log.add('thing-1');
      const first = start();
      await until(() => stored === 1);
      const second = start({ holder: 'two' });
      log.add('thing-2');
      await until(() => stored === 2);
      expect([opened, second.position()]).toEqual([1, null]);
      await first.stop();
      log.add('thing-3');
      await until(() => second.position() === 3);
      expect(all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-3/1']);
    });

    it('keeps its lease for as long as it works, also when nothing happens', async () => {
      log.add('thing-1');
      start();
      await until(() => stored === 1);
      start({ holder: 'two' });
      for (let step = 0; step < 600; step++) {
        clock.advance(100);
        await turn();
      }
      expect(opened).toBe(1);
    });

    it('hands over when its lease is lost, and stores nothing any more', async () => {
      let acknowledge = (): void => undefined;
      publishing = () => new Promise((resolve) => (acknowledge = resolve));
      log.add('thing-1');
      const relay = start();
      await until(() => opened === 1);
      await settle();
      leasing.take('relay');
      acknowledge();
      await until(() => relay.position() === null);
      expect(stored).toBe(0);
      for (let step = 0; step < 100; step++) {
        clock.advance(100);
        await turn();
      }
      expect([opened, errors]).toEqual([1, []]);
    });

    it('says nothing once it has slept past its lease, even before it notices', async () => {
      start();
      await until(() => opened === 1);
      await settle();
      clock.set(clock.now().getTime() + 60_000);
      log.add('thing-1');
      await settle();
      expect(all()).toEqual([]);
      await until(() => stored === 1);
      expect(opened).toBe(2);
    });

    it('says nothing when its lease became another’s while its publisher began', async () => {
      log.add('thing-1');
      start({
        openPublisher: () => {
          leasing.take('relay');
          return openPublisher();
        },
      });
      await until(() => opened === 1);
      await settle();
      expect([all(), errors]).toEqual([[], []]);
    });

    it('that is fenced while the lease is its own begins anew', async () => {
      start();
      await until(() => opened === 1);
      await settle();
      await openPublisher();
      log.add('thing-1');
      await until(() => stored === 1);
      expect([all(), opened, errors]).toEqual([['thing-1/1'], 3, []]);
    });
  });

  it('that is stopped finishes the batch in hand and lets go of the lease', async () => {
    let acknowledge = (): void => undefined;
    publishing = () => new Promise((resolve) => (acknowledge = resolve));
    log.add('thing-1');
    const relay = start();
    await until(() => opened === 1);
    await settle();
    const stopped = relay.stop();
    acknowledge();
    await stopped;
    expect(stored).toBe(1);
    expect(await leasing.leases.acquire('relay', 'two', 1_000)).not.toBeNull();
  });
  describe('that meets a broken stream', () => {
    let broken: string | null;
    const decode = (event: StoredEvent): RecordedEvent => {
      const { stream, revision } = event;
      if (event.id === broken) throw new BrokenHistory({ stream, revision, kind: 'altered', reason: 'altered', tenant: null });
      return decodeWritten(event);
    };
    const codec = () => notingFaults({ ...unaltered, decode } as EventCodec, faults);

    it('parks it, goes on with the others, and publishes what waited of it once it is whole, in its order', async () => {
      log.add('thing-1', 'thing-2', 'thing-1', 'thing-1');
      broken = 'event-3';
      start({ codec: codec() });
      await until(() => stored === 4);
      log.add('thing-2', 'thing-1');
      await until(() => stored === 6);
      expect(all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-2/2']);
      expect([parked, waiting.size]).toEqual([['thing-1/1'], 1]);
      expect(faults.of('thing-1')).toMatchObject({ revision: 1 });
      broken = null;
      await faults.clear('thing-1');
      await pass(clock, 60_000);
      await until(() => waiting.size === 0);
      log.add('thing-1');
      await until(() => stored === 7);
      expect(all().slice(3)).toEqual(['thing-1/2', 'thing-1/3', 'thing-1/4', 'thing-1/5']);
    });

    it('knows what waits when another takes over', async () => {
      log.add('thing-1', 'thing-1', 'thing-2');
      broken = 'event-2';
      const first = start({ codec: codec() });
      await until(() => stored === 3);
      await first.stop();
      log.add('thing-1');
      broken = null;
      start({ codec: codec() });
      await until(() => stored === 4);
      expect(all()).toEqual(['thing-1/1', 'thing-2/1']);
      await faults.clear('thing-1');
      await pass(clock, 60_000);
      await until(() => waiting.size === 0);
      expect(all().slice(2)).toEqual(['thing-1/2', 'thing-1/3']);
    });

    it('leaves out a stream that others found broken', async () => {
      broken = null;
      log.add('thing-1', 'thing-2');
      faults.note({ stream: 'thing-1', revision: 5, kind: 'altered', reason: 'event 5 of thing-1 is missing', tenant: null });
      start({ codec: codec() });
      await until(() => stored === 2);
      expect([all(), parked]).toEqual([['thing-2/1'], ['thing-1/0']]);
    });
  });
});
