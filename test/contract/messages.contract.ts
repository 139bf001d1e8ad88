import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SHARED_POOL } from '../../libs/eventsourcing/message.js';
import type { Consumer, MessagePointer, Messages, Subscription } from '../../libs/eventsourcing/ports/messages.port.js';
import type { ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import type { Line } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { eventually } from '../eventually.js';

/** Messages of a log to which the test appends events with `given`. The clock is manual. */
export type MessagesUnderTest = {
  readonly messages: Messages;
  readonly clock: ManualClock;
  /** The logged lines. */
  readonly lines: readonly Line[];
  /** Appends events of these types to a stream. */
  readonly given: (stream: string, types: readonly string[], tenant?: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Handle = Consumer['handle'];

/** A promise (`opened`) and the function that resolves it (`open`). */
const gate = (): { open: () => void; readonly opened: Promise<void> } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};
const labelOf = ({ stream, revision }: MessagePointer): string => `${stream}/${revision}`;

/** Advances the clock until a consumer has handled or parked every message. */
export const waitUntilCaughtUp = (
  { messages, clock }: Pick<MessagesUnderTest, 'messages' | 'clock'>,
  consumer = 'reader',
): Promise<unknown> => {
  const passed = async (): Promise<boolean> => {
    clock.advance(1_000);
    return (await messages.consumers())[consumer]?.behind === 0;
  };
  return eventually(`${consumer} to be caught up`, passed);
};

/** Returns the number of parked keys of a consumer. */
export const parkedKeys = async (messages: Messages, consumer = 'reader'): Promise<number> =>
  (await messages.consumers())[consumer]?.parked ?? 0;

/** The contract of the port Messages, with which consumers receive messages. It proves contract 24.5. */
export const messagesContract = (name: string, make: () => Promise<MessagesUnderTest>): void => {
  describe(`${name} as messages`, () => {
    let subject: MessagesUnderTest;
    const subscriptions: Subscription[] = [];
    beforeEach(async () => void (subject = await make()));
    afterEach(async () => {
      for (const subscription of subscriptions.splice(0)) await subscription.stop();
      await subject.close();
    });

    const subscribe = async (handle: Handle, { consumer = 'reader', types = ['Made', 'Changed'] } = {}): Promise<Subscription> => {
      const subscription = await subject.messages.subscribe({ name: consumer, types: new Set(types), handle });
      subscriptions.push(subscription);
      return subscription;
    };
    /** Advances the clock until a condition is true. */
    const advanceUntil = (what: string, condition: () => boolean | Promise<boolean>): Promise<unknown> =>
      eventually(what, async () => {
        subject.clock.advance(1_000);
        return condition();
      });

    it('delivers the events from before and after the subscription, as pointers', async () => {
      await subject.given('thing-1', ['Made']);
      const seen: MessagePointer[] = [];
      await subscribe(async (message) => void seen.push(message));
      await waitUntilCaughtUp(subject);
      await subject.given('thing-2', ['Made', 'Changed'], '6a1f9b1e-0000-4000-8000-000000000001');
      await waitUntilCaughtUp(subject);
      const tenant = '6a1f9b1e-0000-4000-8000-000000000001';
      expect(seen.map(({ position: _, ...pointer }) => pointer)).toEqual([
        { stream: 'thing-1', revision: 0, type: 'Made', key: 'thing-1', tenant: SHARED_POOL },
        { stream: 'thing-2', revision: 0, type: 'Made', key: 'thing-2', tenant },
        { stream: 'thing-2', revision: 1, type: 'Changed', key: 'thing-2', tenant },
      ]);
    });

    it('skips types that are not subscribed to', async () => {
      const seen: string[] = [];
      await subscribe(async (message) => void seen.push(labelOf(message)), { types: ['Changed'] });
      await subject.given('thing-1', ['Made', 'Changed', 'Seen', 'Changed']);
      await waitUntilCaughtUp(subject);
      expect(seen).toEqual(['thing-1/1', 'thing-1/3']);
    });

    it('delivers the messages of a key one after another, in order', async () => {
      let running = 0;
      let peak = 0;
      const seen: string[] = [];
      await subscribe(async (message) => {
        peak = Math.max(peak, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(labelOf(message));
        running--;
      });
      await subject.given(
        'thing-1',
        Array.from({ length: 200 }, () => 'Changed'),
      );
      await waitUntilCaughtUp(subject);
      expect(peak).toBe(1);
      expect(seen).toEqual(Array.from({ length: 200 }, (_, revision) => `thing-1/${revision}`));
    });

    it('does not delay other keys by a slow key', async () => {
      const slow = gate();
      const seen: string[] = [];
      await subscribe(async (message) => {
        if (message.key === 'slow-1') await slow.opened;
        seen.push(labelOf(message));
      });
      await subject.given('slow-1', ['Made', 'Changed']);
      await subject.given('quick-1', ['Made', 'Changed']);
      await eventually('the quick key', () => seen.length === 2);
      expect(seen).toEqual(['quick-1/0', 'quick-1/1']);
      slow.open();
      await waitUntilCaughtUp(subject);
      expect(seen.slice(2)).toEqual(['slow-1/0', 'slow-1/1']);
    });

    it('resumes where it stopped', async () => {
      const seen: string[] = [];
      const handle: Handle = async (message) => void seen.push(labelOf(message));
      await subject.given('thing-1', ['Made']);
      const first = await subscribe(handle);
      await waitUntilCaughtUp(subject);
      await first.stop();
      await subject.given('thing-1', ['Changed']);
      expect(seen).toEqual(['thing-1/0']);
      await subscribe(handle);
      await waitUntilCaughtUp(subject);
      expect(seen).toEqual(['thing-1/0', 'thing-1/1']);
    });

    it('takes no new message once it is stopped, and finishes the current one', async () => {
      const work = gate();
      const [begun, ended]: string[][] = [[], []];
      const subscription = await subscribe(async (message) => {
        begun.push(labelOf(message));
        await work.opened;
        ended.push(labelOf(message));
      });
      await subject.given('thing-1', ['Made', 'Changed']);
      await eventually('the first message', () => begun.length === 1);
      const stopped = subscription.stop();
      work.open();
      await stopped;
      expect(ended).toEqual(['thing-1/0']);
      await subject.given('thing-2', ['Made']);
      expect(begun).toEqual(['thing-1/0']);
    });

    it('delivers every message to each of two consumers with different names', async () => {
      const seen: Record<string, string[]> = { one: [], other: [] };
      for (const consumer of ['one', 'other'])
        await subscribe(async (message) => void seen[consumer]?.push(labelOf(message)), { consumer });
      await subject.given('thing-1', ['Made', 'Changed']);
      for (const consumer of ['one', 'other']) await waitUntilCaughtUp(subject, consumer);
      expect(seen).toEqual({ one: ['thing-1/0', 'thing-1/1'], other: ['thing-1/0', 'thing-1/1'] });
    });

    it('shares messages between two consumers with one name, and continues with one when the other stops', async () => {
      const [one, other]: string[][] = [[], []];
      const first = await subscribe(async (message) => void one.push(labelOf(message)));
      await subscribe(async (message) => void other.push(labelOf(message)));
      for (let index = 0; index < 20; index++) await subject.given(`thing-${index}`, ['Made']);
      await waitUntilCaughtUp(subject);
      const shared = Array.from({ length: 20 }, (_, index) => `thing-${index}/0`);
      expect([...one, ...other].sort()).toEqual(shared.sort());
      expect([one.length > 0, other.length > 0]).toEqual([true, true]);
      await first.stop();
      const before = one.length;
      for (let index = 20; index < 30; index++) await subject.given(`thing-${index}`, ['Made']);
      await waitUntilCaughtUp(subject);
      expect(one).toHaveLength(before);
      expect(one.length + other.length).toBe(30);
    });

    it('is caught up on an empty log', async () => {
      await subscribe(async () => undefined);
      await waitUntilCaughtUp(subject);
      expect(await parkedKeys(subject.messages)).toBe(0);
    });

    describe('a message that fails', () => {
      it('is delivered again before later messages of its key', async () => {
        const tries: string[] = [];
        await subscribe(async (message) => {
          tries.push(labelOf(message));
          if (message.revision === 0 && tries.length < 3) throw new Error('not now');
        });
        await subject.given('thing-1', ['Made', 'Changed']);
        await advanceUntil('the later message', () => tries.includes('thing-1/1'));
        expect(tries).toEqual(['thing-1/0', 'thing-1/0', 'thing-1/0', 'thing-1/1']);
      });

      it('is delivered to the next subscription if the current one stops before the retry', async () => {
        const seen: string[] = [];
        const first = await subscribe(async (message) => {
          seen.push(labelOf(message));
          if (message.key === 'sick-1') throw new Error('not now');
        });
        await subject.given('sick-1', ['Made']);
        await subject.given('well-1', ['Made']);
        await eventually('both', () => seen.includes('sick-1/0') && seen.includes('well-1/0'));
        await first.stop();
        const again: string[] = [];
        await subscribe(async (message) => void again.push(labelOf(message)));
        await waitUntilCaughtUp(subject);
        expect(again).toContain('sick-1/0');
      });

      it('parks its key after the last attempt: later messages of that key wait, other keys continue', async () => {
        const seen: string[] = [];
        await subscribe(async (message) => {
          if (message.key === 'sick-1' && message.revision === 1) throw new Error('cannot take this');
          seen.push(labelOf(message));
        });
        await subject.given('sick-1', ['Made', 'Changed', 'Changed']);
        await subject.given('well-1', ['Made']);
        await advanceUntil('the parked key', async () => (await parkedKeys(subject.messages)) > 0);
        await subject.given('sick-1', ['Changed']);
        await subject.given('well-1', ['Changed']);
        await waitUntilCaughtUp(subject);
        expect(seen).toEqual(['sick-1/0', 'well-1/0', 'well-1/1']);
        expect(await subject.messages.consumers()).toEqual({ reader: { behind: 0, parked: 1 } });
        expect(subject.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toEqual([
          { consumer: 'reader', key: 'sick-1', revision: 1, type: 'Changed', reason: 'cannot take this' },
        ]);
      });

      describe('and whose key is parked', () => {
        let broken: boolean;
        let seen: string[];
        let subscription: Subscription;
        const handle: Handle = async (message) => {
          if (broken && message.key.startsWith('sick')) throw new Error('cannot take this');
          seen.push(labelOf(message));
        };
        beforeEach(async () => {
          [broken, seen] = [true, []];
          subscription = await subscribe(handle);
          await subject.given('sick-1', ['Made']);
          await advanceUntil('the parked key', async () => (await parkedKeys(subject.messages)) > 0);
          await subject.given('sick-1', ['Changed', 'Seen', 'Changed']);
          await waitUntilCaughtUp(subject);
        });

        it('stays parked while it still fails, and is delivered by the first retry that succeeds', async () => {
          expect(await subscription.retryParked()).toBe(0);
          expect(await parkedKeys(subject.messages)).toBe(1);
          broken = false;
          expect(await subscription.retryParked()).toBe(1);
          expect(seen).toEqual(['sick-1/0', 'sick-1/1', 'sick-1/3']);
        });

        it('is delivered once the fault is fixed, followed in order by the waiting messages and later messages', async () => {
          broken = false;
          expect(await subscription.retryParked()).toBe(1);
          expect(await parkedKeys(subject.messages)).toBe(0);
          await subject.given('sick-1', ['Changed']);
          await waitUntilCaughtUp(subject);
          expect(seen).toEqual(['sick-1/0', 'sick-1/1', 'sick-1/3', 'sick-1/4']);
        });

        it('stays parked across a stop and a new subscription', async () => {
          await subscription.stop();
          subscription = await subscribe(handle);
          await subject.given('sick-1', ['Changed']);
          await waitUntilCaughtUp(subject);
          expect(await parkedKeys(subject.messages)).toBe(1);
          expect(seen).toEqual([]);
          broken = false;
          expect(await subscription.retryParked()).toBe(1);
          expect(seen).toEqual(['sick-1/0', 'sick-1/1', 'sick-1/3', 'sick-1/4']);
        });
      });
    });
  });
};
