import { afterEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Consumer, MessagePointer, Subscription } from '../../libs/eventsourcing/ports/messages.port.js';
import { eventually } from '../eventually.js';
import { sharedKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { caughtUp, parkedKeys } from './messages.contract.js';
import { breakableNetwork, kafkaMessagesUnderTest, type KafkaMessagesUnderTest } from './kafka.js';

const labelOf = ({ stream, revision }: MessagePointer): string => `${stream}/${revision}`;
const many = (type: string, count: number): string[] => Array.from({ length: count }, () => type);

/** A promise that a test resolves. */
const gate = (): { open: () => void; readonly opened: Promise<void> } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

const NAME = 'a consumer group on Kafka';

describeIfAvailable(NAME, await sharedKafka(), (kafka) => {
  describe(NAME, () => {
    let under: KafkaMessagesUnderTest;
    afterEach(() => under.close());

    const subscribe = (handle: Consumer['handle']): Promise<Subscription> =>
      under.messages.subscribe({ name: 'reader', types: new Set(['Made', 'Changed']), handle });
    const behind = async (): Promise<number> => (await under.messages.consumers())['reader']?.behind ?? 0;
    /** Advances the clock until a condition is true. */
    const advanceUntil = (what: string, condition: () => boolean | Promise<boolean>): Promise<unknown> =>
      eventually(what, async () => {
        under.clock.advance(1_000);
        return condition();
      });

    it('loses no message and keeps the order of each key while members join and leave', async () => {
      under = await kafkaMessagesUnderTest(kafka);
      const seen: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(labelOf(message));
      };
      const first = await subscribe(handle);
      const keys = Array.from({ length: 12 }, (_, index) => `thing-${index}`);
      for (const key of keys) await under.given(key, many('Changed', 20));
      await subscribe(handle);
      for (const key of keys) await under.given(key, many('Changed', 20));
      await first.stop();
      for (const key of keys) await under.given(key, many('Changed', 20));
      await caughtUp(under);
      for (const key of keys) {
        // A message may be repeated. Its first delivery must follow the first delivery of every earlier one.
        const firsts = [...new Set(seen.filter((message) => message.startsWith(`${key}/`)))];
        expect(firsts).toEqual(Array.from({ length: 60 }, (_, revision) => `${key}/${revision}`));
      }
    });

    it('does not repeat the current message while other members join and leave, if its partition stays', async () => {
      under = await kafkaMessagesUnderTest(kafka, { partitions: 1 });
      const work = gate();
      const begun: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        begun.push(labelOf(message));
        await work.opened;
      };
      await subscribe(handle);
      await under.given('thing-1', many('Changed', 3));
      await eventually('the first message', () => begun.length === 1);
      const leave = await under.joinWithoutPartitions();
      await leave();
      work.open();
      await caughtUp(under);
      expect(begun).toEqual(['thing-1/0', 'thing-1/1', 'thing-1/2']);
    });

    it('continues automatically when the brokers return, with messages published meanwhile', async () => {
      const network = breakableNetwork();
      under = await kafkaMessagesUnderTest(kafka, { network });
      const seen: string[] = [];
      await subscribe(async (message) => void seen.push(labelOf(message)));
      await under.given('thing-1', ['Made']);
      await caughtUp(under);
      network.goDown();
      await under.given('thing-1', ['Changed']);
      await under.given('thing-2', ['Made']);
      network.comeBack();
      await advanceUntil('what was published meanwhile', () => seen.includes('thing-1/1') && seen.includes('thing-2/0'));
      await caughtUp(under);
      expect([...new Set(seen)].sort()).toEqual(['thing-1/0', 'thing-1/1', 'thing-2/0']);
    });

    it('subscribes while no broker answers, logs that once, and starts as soon as one answers', async () => {
      const network = breakableNetwork();
      under = await kafkaMessagesUnderTest(kafka, { network });
      await under.given('thing-1', ['Made']);
      network.goDown();
      const seen: string[] = [];
      await subscribe(async (message) => void seen.push(labelOf(message)));
      expect(under.lines.map(({ level, message }) => [level, message])).toEqual([['warn', 'messages cannot be read; reading is retried']]);
      network.comeBack();
      await advanceUntil('the message', () => seen.length === 1);
      await caughtUp(under);
    });

    it('stores the offset of the current message when it stops', async () => {
      under = await kafkaMessagesUnderTest(kafka);
      const work = gate();
      const seen: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        seen.push(labelOf(message));
        await work.opened;
      };
      const first = await subscribe(handle);
      await under.given('thing-1', ['Made']);
      await eventually('the message', () => seen.length === 1);
      const stopped = first.stop();
      work.open();
      await stopped;
      await subscribe(handle);
      await caughtUp(under);
      expect(seen).toEqual(['thing-1/0']);
    });

    it('parks no key because of an unavailable store, for any length of time', async () => {
      under = await kafkaMessagesUnderTest(kafka);
      let tries = 0;
      await subscribe(async () => {
        if (++tries < 20) throw new StoreUnavailable('full');
      });
      await under.given('thing-1', ['Made']);
      await advanceUntil('the twentieth attempt', () => tries === 20);
      await caughtUp(under);
      expect(await parkedKeys(under.messages)).toBe(0);
    });

    it('handles many more messages than it buffers, once each and in order', async () => {
      under = await kafkaMessagesUnderTest(kafka, { partitions: 1 });
      const work = gate();
      const seen: string[] = [];
      await subscribe(async (message) => {
        await work.opened;
        seen.push(labelOf(message));
      });
      for (let part = 0; part < 12; part++) await under.given('thing-1', many('Changed', 1_000));
      work.open();
      await caughtUp(under);
      expect(seen).toEqual(Array.from({ length: 12_000 }, (_, revision) => `thing-1/${revision}`));
    });

    it('continues with deferred messages, even when members join and leave meanwhile', async () => {
      under = await kafkaMessagesUnderTest(kafka, { partitions: 2 });
      const work = gate();
      const seen = new Set<string>();
      const handle = async (message: MessagePointer): Promise<void> => {
        await work.opened;
        seen.add(labelOf(message));
      };
      await subscribe(handle);
      for (const key of ['thing-1', 'thing-2', 'thing-3'])
        for (let part = 0; part < 6; part++) await under.given(key, many('Changed', 1_000));
      await eventually('a lag', async () => (await behind()) > 0);
      const second = await subscribe(handle);
      const stopped = second.stop();
      work.open();
      await stopped;
      await caughtUp(under);
      expect(seen.size).toBe(18_000);
    }, 30_000);

    it('reports its lag', async () => {
      under = await kafkaMessagesUnderTest(kafka);
      const work = gate();
      await under.given('thing-1', many('Changed', 5));
      await subscribe(() => work.opened);
      expect(await behind()).toBeGreaterThanOrEqual(5);
      work.open();
      await caughtUp(under);
    });

    it('lets any member retry a key that another has parked, and the other continues with later messages', async () => {
      under = await kafkaMessagesUnderTest(kafka, { partitions: 1 });
      let broken = true;
      const seen: string[] = [];
      const handle = async (message: MessagePointer): Promise<void> => {
        if (broken) throw new Error('cannot take this');
        seen.push(labelOf(message));
      };
      const members = [await subscribe(handle), await subscribe(handle)];
      await under.given('sick-1', ['Made']);
      await advanceUntil('the parked key', async () => (await parkedKeys(under.messages)) > 0);
      await under.given('sick-1', ['Changed']);
      await caughtUp(under);
      expect(await parkedKeys(under.messages)).toBe(1);
      broken = false;
      const freed = [await members[0].retryParked(), await members[1].retryParked()];
      expect(freed).toEqual([1, 0]);
      await under.given('sick-1', ['Changed']);
      await caughtUp(under);
      expect(seen).toEqual(['sick-1/0', 'sick-1/1', 'sick-1/2']);
    });
  });
});
