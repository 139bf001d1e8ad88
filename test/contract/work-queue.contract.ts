import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimedWork, WorkQueue } from '../../libs/eventsourcing/ports/work-queue.port.js';
import { eventually } from '../eventually.js';

/** A work queue, and how to be rid of it. */
export type WorkQueueUnderTest = { readonly queue: WorkQueue; readonly close: () => Promise<void> };

const LONG = 600_000;
/** Over before anybody asks for the second time; whoever needs it to be over waits until it is. */
const SHORT = 1;

const past = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);
const FUTURE = new Date(Date.now() + LONG);
const LANE = 'somebody';
const work = (id: string, queue = 'deliveries', lane = LANE) => ({ queue, id, lane, data: JSON.stringify({ id }) });

/** What every WorkQueue promises. */
export const workQueueContract = (name: string, make: () => Promise<WorkQueueUnderTest>): void => {
  describe(`${name} as a work queue`, () => {
    let queue: WorkQueue;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ queue, close } = await make()));
    afterEach(() => close());

    const claim = (except?: readonly string[]): Promise<ClaimedWork | null> => queue.claim('deliveries', LONG, except);
    const claimed = async (milliseconds = LONG): Promise<ClaimedWork> => {
      const first = await queue.claim('deliveries', milliseconds);
      if (!first) throw new Error('there is nothing to claim');
      return first;
    };
    const claimedAgain = (): Promise<ClaimedWork> => eventually('work that may be claimed', claim);
    /** All that there is to claim, in the order in which it is given. */
    const idsOfAll = async (except?: readonly string[]): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let next = await claim(except); next; next = await claim(except)) ids.push(next.id);
      return ids;
    };
    /** More than anybody should look at one by one. */
    const backlogOf = async (lane: string): Promise<void> => {
      const due = past(1_000);
      await Promise.all(Array.from({ length: 300 }, (_, index) => queue.enqueue(work(`${lane} ${index}`, 'deliveries', lane), due)));
    };

    it('gives what was put in, once', async () => {
      expect(await queue.enqueue(work('a'), past(1))).toBe(true);
      expect(await claim()).toEqual({ ...work('a'), attempt: 1 });
      expect(await claim()).toBeNull();
    });

    it('gives nothing before it is due', async () => {
      await queue.enqueue(work('a'), FUTURE);
      expect(await claim()).toBeNull();
    });

    it('gives what has been due the longest first', async () => {
      await queue.enqueue(work('new'), past(10));
      await queue.enqueue(work('old'), past(30));
      await queue.enqueue(work('middle'), past(20));
      expect(await idsOfAll()).toEqual(['old', 'middle', 'new']);
    });

    it('keeps queues apart', async () => {
      await queue.enqueue(work('a'), past(1));
      expect(await queue.enqueue(work('a', 'callbacks'), past(1))).toBe(true);
      expect(await queue.claim('callbacks', LONG)).toEqual({ ...work('a', 'callbacks'), attempt: 1 });
      expect(await queue.claim('callbacks', LONG)).toBeNull();
    });

    it('passes over the lanes it is told to', async () => {
      await queue.enqueue(work('old', 'deliveries', 'slow'), past(30));
      await queue.enqueue(work('middle', 'deliveries', 'quick'), past(20));
      await queue.enqueue(work('new', 'deliveries', 'quiet'), past(10));
      expect(await idsOfAll(['slow', 'quiet'])).toEqual(['middle']);
      expect(await idsOfAll(['quick'])).toEqual(['old', 'new']);
    });

    it('hides no lane behind the backlog of another', async () => {
      await backlogOf('slow');
      await queue.enqueue(work('a', 'deliveries', 'quick'), past(1));
      expect(await claim()).toMatchObject({ lane: 'slow' });
      expect(await claim(['slow'])).toEqual({ ...work('a', 'deliveries', 'quick'), attempt: 1 });
      expect(await claim(['slow', 'quick'])).toBeNull();
    });

    it('passes over the lanes beneath those it is told to', async () => {
      await queue.enqueue(work('mine', 'deliveries', 'tenant/slow'), past(30));
      await queue.enqueue(work('mine too', 'deliveries', 'tenant/quick'), past(20));
      await queue.enqueue(work('another’s', 'deliveries', 'tenants/quick'), past(10));
      expect(await idsOfAll(['tenant'])).toEqual(['another’s']);
      expect(await idsOfAll(['tenant/slow'])).toEqual(['mine too']);
    });

    it('gives of all lanes behind a backlog what has been due the longest, and nothing before it is due', async () => {
      await backlogOf('slow');
      await queue.enqueue(work('a', 'deliveries', 'early in the alphabet'), FUTURE);
      await queue.enqueue(work('b', 'deliveries', 'quick'), past(10));
      await queue.enqueue(work('c', 'deliveries', 'quiet'), past(20));
      expect(await idsOfAll(['slow'])).toEqual(['c', 'b']);
    });

    it('gives each to one of many who ask at once', async () => {
      for (let index = 0; index < 10; index++) await queue.enqueue(work(String(index)), past(1));
      const asked = await Promise.all(Array.from({ length: 5 }, () => idsOfAll()));
      expect(asked.flat().sort()).toEqual(Array.from({ length: 10 }, (_, index) => String(index)));
    });

    it('gives each to one of many who ask at once for what is behind a backlog', async () => {
      await backlogOf('slow');
      for (let index = 0; index < 5; index++) await queue.enqueue(work(String(index), 'deliveries', `quick ${index}`), past(1));
      const asked = await Promise.all(Array.from({ length: 5 }, () => claim(['slow'])));
      expect(asked.map((one) => one?.id).sort()).toEqual(['0', '1', '2', '3', '4']);
    });

    it('takes work of the same id once: while it waits, is being done and was done', async () => {
      await queue.enqueue(work('a'), past(1));
      expect(await queue.enqueue({ ...work('a'), data: 'null' }, past(1))).toBe(false);
      const held = await claimed();
      expect(held.data).toBe(work('a').data);
      expect(await queue.enqueue(work('a'), past(1))).toBe(false);
      await queue.complete(held);
      expect(await queue.enqueue(work('a'), past(1))).toBe(false);
      expect(await claim()).toBeNull();
    });

    it('gives it again when the time of a claim is up', async () => {
      await queue.enqueue(work('a'), past(1));
      await claimed(SHORT);
      expect(await claimedAgain()).toEqual({ ...work('a'), attempt: 2 });
    });

    it('lets its doer hold on to it', async () => {
      await queue.enqueue(work('a'), past(1));
      const held = await claimed(SHORT);
      expect(await queue.extend(held, LONG)).toBe(true);
      expect(await claim()).toBeNull();
    });

    it('gives it again at the time that was asked for', async () => {
      await queue.enqueue(work('a'), past(1));
      expect(await queue.retryAt(await claimed(), FUTURE)).toBe(true);
      expect(await claim()).toBeNull();
      await queue.enqueue(work('b'), past(1));
      expect(await queue.retryAt(await claimed(), past(1))).toBe(true);
      expect(await claimedAgain()).toEqual({ ...work('b'), attempt: 2 });
    });

    it('hears nothing of whoever lost it to another', async () => {
      await queue.enqueue(work('a'), past(1));
      const lost = await claimed(SHORT);
      const held = await claimedAgain();
      expect(await queue.extend(lost, LONG)).toBe(false);
      expect(await queue.retryAt(lost, past(1))).toBe(false);
      expect(await queue.complete(lost)).toBe(false);
      expect(await queue.complete(held)).toBe(true);
    });

    it('is done with what was completed', async () => {
      await queue.enqueue(work('a'), past(1));
      const held = await claimed();
      expect(await queue.complete(held)).toBe(true);
      expect(await queue.complete(held)).toBe(false);
      expect(await queue.extend(held, LONG)).toBe(false);
      expect(await queue.retryAt(held, past(1))).toBe(false);
      expect(await claim()).toBeNull();
    });
  });
};
