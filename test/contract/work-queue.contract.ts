import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimedWork, WorkQueue } from '../../libs/eventsourcing/ports/work-queue.port.js';
import { eventually } from '../eventually.js';

/** A work queue, and a function that closes it. */
export type WorkQueueUnderTest = { readonly queue: WorkQueue; readonly close: () => Promise<void> };

const LONG = 600_000;
/** Milliseconds. A claim of this length expires almost at once. A test that needs an expired claim waits until it has expired. */
const SHORT = 1;

/** A delay for work that has been due for a while. */
const past = (seconds: number): number => -seconds * 1_000;
const LANE = 'somebody';
const work = (id: string, queue = 'deliveries', lane = LANE) => ({ queue, id, lane, data: JSON.stringify({ id }) });

/** The contract of WorkQueue. */
export const workQueueContract = (name: string, make: () => Promise<WorkQueueUnderTest>): void => {
  describe(`${name} as a work queue`, () => {
    let queue: WorkQueue;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ queue, close } = await make()));
    afterEach(() => close());

    const claim = (except?: readonly string[]): Promise<ClaimedWork | null> => queue.claim('deliveries', LONG, except);
    const claimDue = async (milliseconds = LONG): Promise<ClaimedWork> => {
      const first = await queue.claim('deliveries', milliseconds);
      if (!first) throw new Error('no work is due');
      return first;
    };
    const eventuallyClaim = (): Promise<ClaimedWork> => eventually('work that may be claimed', claim);
    /** Claims all due work and returns the ids in order. */
    const claimAllIds = async (except?: readonly string[]): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let next = await claim(except); next; next = await claim(except)) ids.push(next.id);
      return ids;
    };
    /** Enqueues 300 pieces of due work in one lane. An adapter reads fewer than that, and then searches lane by lane. */
    const enqueueBacklog = async (lane: string): Promise<void> => {
      const ids = Array.from({ length: 300 }, (_, index) => `${lane} ${index}`);
      // A few at a time: a busy server would let the last of them wait too long for a connection.
      for (let from = 0; from < ids.length; from += 20)
        await Promise.all(ids.slice(from, from + 20).map((id) => queue.enqueue(work(id, 'deliveries', lane), past(1_000))));
    };

    it('returns enqueued work once', async () => {
      expect(await queue.enqueue(work('a'))).toBe(true);
      expect(await claim()).toEqual({ ...work('a'), attempt: 1, retries: 0 });
      expect(await claim()).toBeNull();
    });

    it('lists what is not done, claimed or not, and changes nothing', async () => {
      for (const id of ['done', 'claimed', 'later']) await queue.enqueue(work(id), id === 'later' ? LONG : past(10));
      await queue.enqueue(work('other', 'other'));
      await queue.complete(await claimDue());
      const claimed = await claimDue(LONG * 2);
      const expected = [{ ...work('later'), attempt: 0, retries: 0 }, claimed];
      for (let time = 0; time < 2; time++) expect(await queue.waiting('deliveries', 10)).toEqual(expected);
      expect(await queue.waiting('deliveries', 1)).toEqual(expected.slice(0, 1));
    });

    it('returns no work before it is due', async () => {
      await queue.enqueue(work('a'), LONG);
      expect(await claim()).toBeNull();
    });

    it('returns the longest due work first', async () => {
      await queue.enqueue(work('new'), past(10));
      await queue.enqueue(work('old'), past(30));
      await queue.enqueue(work('middle'), past(20));
      expect(await claimAllIds()).toEqual(['old', 'middle', 'new']);
    });

    it('separates queues', async () => {
      await queue.enqueue(work('a'));
      expect(await queue.enqueue(work('a', 'callbacks'))).toBe(true);
      expect(await queue.claim('callbacks', LONG)).toEqual({ ...work('a', 'callbacks'), attempt: 1, retries: 0 });
      expect(await queue.claim('callbacks', LONG)).toBeNull();
    });

    it('skips excluded lanes', async () => {
      await queue.enqueue(work('old', 'deliveries', 'slow'), past(30));
      await queue.enqueue(work('middle', 'deliveries', 'quick'), past(20));
      await queue.enqueue(work('new', 'deliveries', 'quiet'), past(10));
      expect(await claimAllIds(['slow', 'quiet'])).toEqual(['middle']);
      expect(await claimAllIds(['quick'])).toEqual(['old', 'new']);
    });

    it('does not hide a lane behind the backlog of another', async () => {
      await enqueueBacklog('slow');
      await queue.enqueue(work('a', 'deliveries', 'quick'));
      expect(await claim()).toMatchObject({ lane: 'slow' });
      expect(await claim(['slow'])).toEqual({ ...work('a', 'deliveries', 'quick'), attempt: 1, retries: 0 });
      expect(await claim(['slow', 'quick'])).toBeNull();
    });

    it('skips the lanes below an excluded one', async () => {
      await queue.enqueue(work('mine', 'deliveries', 'tenant/slow'), past(30));
      await queue.enqueue(work('mine too', 'deliveries', 'tenant/quick'), past(20));
      await queue.enqueue(work('another’s', 'deliveries', 'tenants/quick'), past(10));
      expect(await claimAllIds(['tenant'])).toEqual(['another’s']);
      expect(await claimAllIds(['tenant/slow'])).toEqual(['mine too']);
    });

    it('skips the backlog of an excluded lane, and returns only due work, the longest due work first', async () => {
      await enqueueBacklog('slow');
      await queue.enqueue(work('a', 'deliveries', 'early in the alphabet'), LONG);
      await queue.enqueue(work('b', 'deliveries', 'quick'), past(10));
      await queue.enqueue(work('c', 'deliveries', 'quiet'), past(20));
      expect(await claimAllIds(['slow'])).toEqual(['c', 'b']);
    });

    it('returns each piece of work to one of many concurrent claims', async () => {
      for (let index = 0; index < 10; index++) await queue.enqueue(work(String(index)));
      const claims = await Promise.all(Array.from({ length: 5 }, () => claimAllIds()));
      expect(claims.flat().sort()).toEqual(Array.from({ length: 10 }, (_, index) => String(index)));
    });

    it('returns each piece of work to only one of many concurrent claims that skip the backlog of an excluded lane', async () => {
      await enqueueBacklog('slow');
      for (let index = 0; index < 5; index++) await queue.enqueue(work(String(index), 'deliveries', `quick ${index}`));
      const claims = await Promise.all(Array.from({ length: 5 }, () => claim(['slow'])));
      expect(claims.map((one) => one?.id).sort()).toEqual(['0', '1', '2', '3', '4']);
    });

    it('rejects work with the id of waiting, claimed or done work', async () => {
      await queue.enqueue(work('a'));
      expect(await queue.enqueue({ ...work('a'), data: 'null' })).toBe(false);
      const claimed = await claimDue();
      expect(claimed.data).toBe(work('a').data);
      expect(await queue.enqueue(work('a'))).toBe(false);
      await queue.complete(claimed);
      expect(await queue.enqueue(work('a'))).toBe(false);
      expect(await claim()).toBeNull();
    });

    it('returns work again after its claim has expired', async () => {
      await queue.enqueue(work('a'));
      await claimDue(SHORT);
      expect(await eventuallyClaim()).toEqual({ ...work('a'), attempt: 2, retries: 0 });
    });

    it('extends a claim', async () => {
      await queue.enqueue(work('a'));
      const claimed = await claimDue(SHORT);
      expect(await queue.extend(claimed, LONG)).toBe(true);
      expect(await claim()).toBeNull();
    });

    it('returns work again after its retry delay, and counts the retries', async () => {
      await queue.enqueue(work('a'));
      expect(await queue.retryAfter(await claimDue(), LONG)).toBe(true);
      expect(await claim()).toBeNull();
      await queue.enqueue(work('b'));
      expect(await queue.retryAfter(await claimDue(), SHORT)).toBe(true);
      expect(await eventuallyClaim()).toEqual({ ...work('b'), attempt: 2, retries: 1 });
    });

    it('counts no retry for a claim that expires', async () => {
      await queue.enqueue(work('a'));
      await queue.retryAfter(await claimDue(), 0);
      await claimDue(SHORT);
      expect(await eventuallyClaim()).toEqual({ ...work('a'), attempt: 3, retries: 1 });
    });

    it('changes no wait that is as long as it should be', async () => {
      await queue.enqueue(work('a'), LONG);
      await queue.enqueue(work('b'));
      await queue.retryAfter(await claimDue(), LONG);
      await queue.enqueue(work('c'));
      await claimDue();
      await queue.shortenWaits('deliveries');
      expect(await claim()).toBeNull();
    });

    it('rejects calls with an expired claim once the work has been claimed again', async () => {
      await queue.enqueue(work('a'));
      const lost = await claimDue(SHORT);
      const claimed = await eventuallyClaim();
      expect(await queue.extend(lost, LONG)).toBe(false);
      expect(await queue.retryAfter(lost, 0)).toBe(false);
      expect(await queue.complete(lost)).toBe(false);
      expect(await queue.complete(claimed)).toBe(true);
    });

    it('rejects changes of completed work', async () => {
      await queue.enqueue(work('a'));
      const claimed = await claimDue();
      expect(await queue.complete(claimed)).toBe(true);
      expect(await queue.complete(claimed)).toBe(false);
      expect(await queue.extend(claimed, LONG)).toBe(false);
      expect(await queue.retryAfter(claimed, 0)).toBe(false);
      expect(await claim()).toBeNull();
    });
  });
};
