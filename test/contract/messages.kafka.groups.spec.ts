import { afterEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Consumer, MessagePointer, Subscription } from '../../libs/eventsourcing/ports/messages.port.js';
import { eventually } from '../eventually.js';
import { sharedKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { waitUntilCaughtUp, parkedKeys } from './messages.contract.js';
import { connectTo } from '../../libs/adapters/kafka/connection.js';
import { GroupOffsets } from '../../libs/adapters/kafka/consuming/group-offsets.js';
import { breakableNetwork, kafkaMessagesUnderTest, type KafkaMessagesUnderTest } from './kafka.js';

const labelOf = ({ stream, revision }: MessagePointer): string => `${stream}/${revision}`;
const repeatType = (type: string, count: number): string[] => Array.from({ length: count }, () => type);

/** A promise (`opened`) and the function that resolves it (`open`). */
const gate = (): { open: () => void; readonly opened: Promise<void> } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

const NAME = 'a consumer group on Kafka';

describeIfAvailable(NAME, await sharedKafka(), (kafka) => {
  describe(NAME, () => {
    let subject: KafkaMessagesUnderTest;
    afterEach(() => subject.close());

    const subscribe = (handle: Consumer['handle']): Promise<Subscription> =>
      subject.messages.subscribe({ name: 'reader', types: new Set(['Made', 'Changed']), handle });
    const readLag = async (): Promise<number> => (await subject.messages.consumers())['reader']?.behind ?? 0;
    /** Advances the clock until a condition is true. */
    const advanceUntil = (what: string, condition: () => boolean | Promise<boolean>): Promise<unknown> =>
      eventually(what, async () => {
        subject.clock.advance(1_000);
        return condition();
      });

    it('loses no message and keeps the order of each key while members join and leave', async () => {
      subject = await kafkaMessagesUnderTest(kafka);
      const seen: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(labelOf(message));
      };
      const first = await subscribe(handle);
      const keys = Array.from({ length: 12 }, (_, index) => `thing-${index}`);
      for (const key of keys) await subject.given(key, repeatType('Changed', 20));
      await subscribe(handle);
      for (const key of keys) await subject.given(key, repeatType('Changed', 20));
      await first.stop();
      for (const key of keys) await subject.given(key, repeatType('Changed', 20));
      await waitUntilCaughtUp(subject);
      for (const key of keys) {
        // Messages may be delivered again. The first deliveries must be in the order of the revisions.
        const firsts = [...new Set(seen.filter((message) => message.startsWith(`${key}/`)))];
        expect(firsts).toEqual(Array.from({ length: 60 }, (_, revision) => `${key}/${revision}`));
      }
    });

    it('does not repeat the current message while other members join and leave, if its partition stays', async () => {
      subject = await kafkaMessagesUnderTest(kafka, { partitions: 1 });
      const work = gate();
      const begun: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        begun.push(labelOf(message));
        await work.opened;
      };
      await subscribe(handle);
      await subject.given('thing-1', repeatType('Changed', 3));
      await eventually('the first message', () => begun.length === 1);
      const leave = await subject.joinWithoutPartitions();
      await leave();
      work.open();
      await waitUntilCaughtUp(subject);
      expect(begun).toEqual(['thing-1/0', 'thing-1/1', 'thing-1/2']);
    });

    it('continues automatically when the brokers return, with messages published meanwhile', async () => {
      const network = breakableNetwork();
      subject = await kafkaMessagesUnderTest(kafka, { network });
      const seen: string[] = [];
      await subscribe(async (message) => void seen.push(labelOf(message)));
      await subject.given('thing-1', ['Made']);
      await waitUntilCaughtUp(subject);
      network.goDown();
      await subject.given('thing-1', ['Changed']);
      await subject.given('thing-2', ['Made']);
      network.comeBack();
      await advanceUntil('what was published meanwhile', () => seen.includes('thing-1/1') && seen.includes('thing-2/0'));
      await waitUntilCaughtUp(subject);
      expect([...new Set(seen)].sort()).toEqual(['thing-1/0', 'thing-1/1', 'thing-2/0']);
    });

    it('subscribes while no broker responds, logs that once, and starts as soon as one responds', async () => {
      const network = breakableNetwork();
      subject = await kafkaMessagesUnderTest(kafka, { network });
      await subject.given('thing-1', ['Made']);
      network.goDown();
      const seen: string[] = [];
      await subscribe(async (message) => void seen.push(labelOf(message)));
      expect(subject.lines.map(({ level, message }) => [level, message])).toEqual([
        ['warn', 'messages cannot be read; reading is retried'],
      ]);
      network.comeBack();
      await advanceUntil('the message', () => seen.length === 1);
      await waitUntilCaughtUp(subject);
    });

    it('stores the offset of the current message when it stops', async () => {
      subject = await kafkaMessagesUnderTest(kafka);
      const work = gate();
      const seen: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        seen.push(labelOf(message));
        await work.opened;
      };
      const first = await subscribe(handle);
      await subject.given('thing-1', ['Made']);
      await eventually('the message', () => seen.length === 1);
      const stopped = first.stop();
      work.open();
      await stopped;
      await subscribe(handle);
      await waitUntilCaughtUp(subject);
      expect(seen).toEqual(['thing-1/0']);
    });

    it('never parks a key because a store is unavailable', async () => {
      subject = await kafkaMessagesUnderTest(kafka);
      let tries = 0;
      await subscribe(async () => {
        if (++tries < 20) throw new StoreUnavailable('full');
      });
      await subject.given('thing-1', ['Made']);
      await advanceUntil('the twentieth attempt', () => tries === 20);
      await waitUntilCaughtUp(subject);
      expect(await parkedKeys(subject.messages)).toBe(0);
    });

    it('handles many more messages than it buffers, once each and in order', async () => {
      subject = await kafkaMessagesUnderTest(kafka, { partitions: 1 });
      const work = gate();
      const seen: string[] = [];
      await subscribe(async (message) => {
        await work.opened;
        seen.push(labelOf(message));
      });
      for (let part = 0; part < 12; part++) await subject.given('thing-1', repeatType('Changed', 1_000));
      work.open();
      await waitUntilCaughtUp(subject);
      expect(seen).toEqual(Array.from({ length: 12_000 }, (_, revision) => `thing-1/${revision}`));
    });

    it('continues with deferred messages, even when members join and leave meanwhile', async () => {
      subject = await kafkaMessagesUnderTest(kafka, { partitions: 2 });
      const work = gate();
      const seen = new Set<string>();
      const handle = async (message: MessagePointer): Promise<void> => {
        await work.opened;
        seen.add(labelOf(message));
      };
      await subscribe(handle);
      for (const key of ['thing-1', 'thing-2', 'thing-3'])
        for (let part = 0; part < 6; part++) await subject.given(key, repeatType('Changed', 1_000));
      await eventually('a lag', async () => (await readLag()) > 0);
      const second = await subscribe(handle);
      const stopped = second.stop();
      work.open();
      await stopped;
      await waitUntilCaughtUp(subject);
      expect(seen.size).toBe(18_000);
    });

    it('reports its lag in messages, without the control records of their transactions', async () => {
      subject = await kafkaMessagesUnderTest(kafka);
      const work = gate();
      // Each call is a transaction, which ends with a record of its own.
      for (const key of ['thing-1', 'thing-2', 'thing-3']) await subject.given(key, repeatType('Changed', 5));
      await subscribe(() => work.opened);
      expect(await subject.messages.consumers()).toEqual({ reader: { behind: 15, behindSeconds: expect.any(Number), parked: 0 } });
      work.open();
      await waitUntilCaughtUp(subject);
    });

    it('has no open connection after it was closed, also while its lag was read', async () => {
      subject = await kafkaMessagesUnderTest(kafka);
      await subject.given('thing-1', ['Changed']);
      const { connection, topic } = subject;
      for (let turns = 0; turns < 40; turns += 2) {
        const network = breakableNetwork();
        const offsets = new GroupOffsets(connectTo({ ...connection, ...network }), [topic]);
        const reading = offsets.lag('reader').catch((error: unknown) => error);
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        await offsets.close();
        const read = await reading;
        if (read instanceof Error) expect(read).toBeInstanceOf(StoreUnavailable);
        await eventually('all connections to be closed', () => network.openConnections() === 0);
        await expect(offsets.lag('reader')).rejects.toThrow('are closed');
      }
    });

    it('lets any member retry a key that another has parked, and the other continues with later messages', async () => {
      subject = await kafkaMessagesUnderTest(kafka, { partitions: 1 });
      let broken = true;
      const seen: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        if (broken) throw new Error('cannot take this');
        seen.push(labelOf(message));
      };
      const members = [await subscribe(handle), await subscribe(handle)];
      await subject.given('sick-1', ['Made']);
      await advanceUntil('the parked key', async () => (await parkedKeys(subject.messages)) > 0);
      await subject.given('sick-1', ['Changed']);
      await waitUntilCaughtUp(subject);
      expect(await parkedKeys(subject.messages)).toBe(1);
      broken = false;
      const retried = [await members[0].retryParked(), await members[1].retryParked()];
      expect(retried).toEqual([1, 0]);
      await subject.given('sick-1', ['Changed']);
      await waitUntilCaughtUp(subject);
      expect(seen).toEqual(['sick-1/0', 'sick-1/1', 'sick-1/2']);
    });
  });
});
