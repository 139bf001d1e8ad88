import { afterAll, beforeAll, describe, it } from '@jest/globals';
import {
  raceApprovalsAndDeletions,
  raceApprovalsForOnePet,
  raceDecisionsOfOneApplication,
  raceOrdersAndApplications,
} from './adoption-races.js';
import { openRacingShop, type RacingShop } from './racing.js';

/** On the distributed profile, `test/journeys/distributed/adoptions.more.spec.ts` repeats each race as often. */
const ROUNDS = 50;

let racing: RacingShop;
beforeAll(async () => {
  racing = await openRacingShop();
});
afterAll(() => racing.close());

/** Proves contract 24.4, contract 36.3 and contract 36.5. */
describe(`${ROUNDS} times`, () => {
  it.each([
    ['20 approvals for one pet', raceApprovalsForOnePet],
    ['10 approvals and deletions', raceApprovalsAndDeletions],
    ['20 decisions of one application', raceDecisionsOfOneApplication],
    ['10 orders and 10 applications for one pet', raceOrdersAndApplications],
  ])('%s have one winner', async (_, round) => {
    for (let nth = 0; nth < ROUNDS; nth++) await round(racing);
  });
});
