import type { Feed } from './feed.js';

/**
 * Marks the feed of a subscription as caught up when the feed has received the last event of the log. Servers before 23.10
 * do not report this. The log may grow during a check, so the check repeats until the last event is the same as before.
 */
export const detectEnd = async (
  lastPosition: () => Promise<number>,
  feed: Pick<Feed, 'waitForArrival' | 'markCaughtUp'>,
): Promise<void> => {
  try {
    for (let before = -1; ;) {
      const last = await lastPosition();
      if ((await feed.waitForArrival(last)) === 'not-needed') return;
      if (last === before) return feed.markCaughtUp();
      before = last;
    }
  } catch {
    // The server is unreachable. The feed also fails, and the subscription then restarts the feed and this
    // check.
  }
};
