import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { MAX_BUCKETS } from '../../api/http/admission/rate-limit.js';
import { countAttempts } from './sign-in-attempts.js';

/** Proves contract 30.7. */
describe('the attempts to sign in to an account', () => {
  const attempts = countAttempts({ rateLimit: { limit: 600, windowSeconds: 60 } }, manualClock());

  it('are 60, and are not used up by attempts at many names that nobody has', () => {
    for (let nth = 0; nth <= 2 * MAX_BUCKETS; nth++) attempts.take(`name ${nth}`, 'unknown');
    const taken = Array.from({ length: 61 }, () => attempts.take('ann', 'known'));
    expect([taken.slice(0, 60).every((seconds) => seconds === null), typeof taken[60]]).toEqual([true, 'number']);
    attempts.stop();
  });
});
