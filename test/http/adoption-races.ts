import { expect } from '@jest/globals';
import { eventually } from '../eventually.js';
import type { HttpResponse } from '../servers/client.js';
import { adoptionsIn, type Adoption, type SubmittedAdoption } from './adoptions.js';
import { tally, type RacingShop } from './racing.js';
import { APPLICANT, type Page } from './shop.js';

const REQUESTS = 20;
/** One race sends this number of orders, and the same number of applications, for one pet. */
const EACH = 10;

const statusesFor = async ({ shop }: Pick<RacingShop, 'shop'>, petId: string): Promise<readonly string[]> => {
  const { json } = await shop.requestAsStaff<Page<Adoption>>('GET', `/v1/adoptions?petId=${petId}&limit=100`);
  return json.data.map(({ status }) => status).toSorted();
};

/** Waits until the applications for a pet have these statuses, and no other. */
const expectStatuses = (racing: RacingShop, petId: string, wanted: readonly string[]): Promise<unknown> =>
  eventually(`the applications for ${petId} to be ${wanted.join()}`, async () => {
    const statuses = await statusesFor(racing, petId);
    if (String(statuses) !== String(wanted.toSorted())) throw new Error(`they are ${statuses.join()}`);
    return true;
  });

const applicationsFor = async (racing: RacingShop, count: number): Promise<{ readonly petId: string; readonly ids: readonly string[] }> => {
  const { id: petId } = await racing.shop.listPet();
  const body = { petId, applicant: APPLICANT };
  const sent = await racing.race(count, (by) => by.request<SubmittedAdoption>('POST', '/v1/adoptions', { body }));
  expect(tally(sent)).toEqual({ 201: count });
  return { petId, ids: sent.map(({ json }) => json.id) };
};

const decide = (racing: RacingShop, ids: readonly string[], decisions: readonly string[]): Promise<readonly HttpResponse<Adoption>[]> =>
  racing.race(ids.length, (by, nth) =>
    by.requestAsStaff<Adoption>('POST', `/v1/adoptions/${ids[nth]}/${decisions[nth % decisions.length]}`),
  );

/** 20 approvals of 20 applications for one pet: exactly one application is approved and gets the pet. */
export const raceApprovalsForOnePet = async (racing: RacingShop): Promise<void> => {
  const { petId, ids } = await applicationsFor(racing, REQUESTS);
  const responses = await decide(racing, ids, ['approval']);
  expect(tally(responses)).toEqual({ 200: 1, 409: REQUESTS - 1 });
  await adoptionsIn(racing.shop).expectPet(petId, 'ADOPTED');
  await expectStatuses(racing, petId, ['approved', ...Array.from({ length: REQUESTS - 1 }, () => 'rejected')]);
  const winner = responses.find(({ status }) => status === 200)?.json.id ?? '';
  expect((await adoptionsIn(racing.shop).read(winner)).status).toBe('approved');
};

/** 10 approvals of 10 pets, and 10 deletions of the same applications: an approval succeeds if, and only if, the pet is given. */
export const raceApprovalsAndDeletions = async (racing: RacingShop): Promise<void> => {
  const pets = await Promise.all(Array.from({ length: EACH }, () => applicationsFor(racing, 1)));
  const responses = await racing.race(2 * EACH, (by, nth) => {
    const path = `/v1/adoptions/${pets[nth % EACH]?.ids[0]}`;
    return nth < EACH ? by.requestAsStaff('POST', `${path}/approval`) : by.requestAsStaff('DELETE', path);
  });
  for (const [nth, { petId }] of pets.entries())
    await adoptionsIn(racing.shop).expectPet(petId, responses[nth]?.status === 200 ? 'ADOPTED' : 'AVAILABLE');
  expect(tally(responses.slice(EACH))).toEqual({ 204: EACH });
};

/** 20 approvals, rejections and withdrawals of one application: one of them decides it. */
export const raceDecisionsOfOneApplication = async (racing: RacingShop): Promise<void> => {
  const { petId, ids } = await applicationsFor(racing, 1);
  const same = Array.from({ length: REQUESTS }, () => ids[0] ?? '');
  const responses = await decide(racing, same, ['approval', 'withdrawal', 'rejection']);
  expect(tally(responses)).toEqual({ 200: 1, 409: REQUESTS - 1 });
  const { status } = (responses.find((response) => response.status === 200) as HttpResponse<Adoption>).json;
  await expectStatuses(racing, petId, [status]);
  await adoptionsIn(racing.shop).expectPet(petId, status === 'approved' ? 'ADOPTED' : 'AVAILABLE');
};

/** 10 orders and 10 applications for one pet: one order reserves the pet, or all 10 applications are accepted. */
export const raceOrdersAndApplications = async (racing: RacingShop): Promise<void> => {
  const { id: petId } = await racing.shop.listPet();
  const isOrder = (nth: number): boolean => (nth + (nth >> 1)) % 2 === 0;
  const responses = await racing.race(2 * EACH, (by, nth) =>
    isOrder(nth)
      ? by.request('POST', '/v1/orders', { body: { petId } })
      : by.request('POST', '/v1/adoptions', { body: { petId, applicant: APPLICANT } }),
  );
  const [orders, applications] = [tally(responses.filter((_, nth) => isOrder(nth))), tally(responses.filter((_, nth) => !isOrder(nth)))];
  const isOrdered = orders[201] !== undefined;
  expect([orders, applications]).toEqual(isOrdered ? [{ 201: 1, 409: EACH - 1 }, { 409: EACH }] : [{ 409: EACH }, { 201: EACH }]);
  await adoptionsIn(racing.shop).expectPet(petId, 'PENDING');
  // If an order has won, no application stays open: one that was recorded just after that order is rejected later.
  await eventually('only the winner to be open', async () => {
    const open = (await statusesFor(racing, petId)).filter((status) => status === 'submitted');
    return open.length === (isOrdered ? 0 : EACH);
  });
};
