import type { Feed } from './feed.js';

/**
 * Marks a feed as caught up when it has received the log's last event. Servers before 23.10 do not report
 * this. The check repeats until the last event is still the last one after it has arrived.
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
    // The server is unreachable: the feed fails as well, and the subscription restarts both.
  }
};
