import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { adoptionsIn, type Adoption, type Adoptions, type SubmittedAdoption } from './adoptions.js';
import { expectProblem } from './problems.js';
import { APPLICANT, newUser, openShop, type Page, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
let adoptions: Adoptions;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  adoptions = adoptionsIn(shop);
});
afterAll(() => service.stop());

const userToken = (subject: string): Promise<string> =>
  service.token('read:pets', { subject, ...(shop.tenant && { tenant: shop.tenant }) });

/** Proves contract 36.1, contract 36.2 and contract 36.3. Proves rows of contract 42.9, 42.10 and 42.21. */
describe('applying for a pet', () => {
  it('returns the application with its address, its tag and a token, and makes the pet PENDING', async () => {
    const pet = await shop.listPet();
    const body = { petId: pet.id, applicant: { ...APPLICANT, phone: '+14155550123' }, message: 'We have a garden.\nAnd time.' };
    const { status, json, headers } = await shop.request<SubmittedAdoption>('POST', '/v1/adoptions', { body });
    const { manageToken, ...adoption } = json;
    expect([status, headers.location, headers['cache-control']]).toEqual([201, `${service.url}/v1/adoptions/${json.id}`, 'no-store']);
    expect(adoption).toEqual({ id: json.id, ...body, status: 'submitted', createdAt: json.createdAt, updatedAt: json.createdAt });
    const read = await shop.request<Adoption>('GET', `/v1/adoptions/${json.id}`, { token: manageToken });
    expect([read.status, read.json, read.headers.etag]).toEqual([200, adoption, headers.etag]);
    expect((await shop.request<Pet>('GET', `/v1/pets/${pet.id}`)).json.status).toBe('PENDING');
  });

  it('needs no applicant with the token of a user, and returns the id of that user', async () => {
    const { id } = await shop.listPet();
    const token = await userToken('ann');
    const { status, json } = await shop.request<SubmittedAdoption>('POST', '/v1/adoptions', { token, body: { petId: id } });
    expect([status, json.userId, json.applicant]).toEqual([201, 'ann', undefined]);
    expect((await shop.request('GET', `/v1/adoptions/${json.id}`, { token })).status).toBe(200);
  });

  it('is 409 with the token of a person who has an open application for the pet', async () => {
    const { id: petId } = await shop.listPet();
    const send = async (subject: string) =>
      shop.request<SubmittedAdoption>('POST', '/v1/adoptions', { token: await userToken(subject), body: { petId, applicant: APPLICANT } });
    const first = await send('dora');
    expect([first.status, (await send('emil')).status, (await adoptions.send(petId)).status]).toEqual([201, 201, 201]);
    expectProblem(await send('dora'), 409, 'conflict');
    await adoptions.decide(first.json.id, 'withdrawal');
    expect((await send('dora')).status).toBe(201);
  });

  it.each([
    ['no applicant and no token', {}, { applicant: 'required' }],
    ['an applicant without a name', { applicant: { email: 'a@example.com' } }, { 'applicant.name': 'required' }],
    [
      'an address and a number of another form',
      { applicant: { name: 'Ann', email: 'ann', phone: '5' } },
      { 'applicant.email': 'INVALID_FORMAT', 'applicant.phone': 'INVALID_FORMAT' },
    ],
    ['an unknown property', { applicant: { ...APPLICANT, iban: 'DE1' } }, { 'applicant.iban': 'unknown_property' }],
    ['the id of a user', { applicant: APPLICANT, userId: 'ann' }, { userId: 'unknown_property' }],
    ['a message with control characters', { applicant: APPLICANT, message: 'A\u0000\u001b[31m' }, { message: 'INVALID_FORMAT' }],
    ['a long message', { applicant: APPLICANT, message: 'x'.repeat(2_001) }, { message: 'too_long' }],
  ] as const)('is 422 with %s', async (_, fields, codes) => {
    const { id: petId } = await shop.listPet();
    expectProblem(await shop.request('POST', '/v1/adoptions', { body: { petId, ...fields } }), 422, 'validation-failed', codes);
  });

  it('is 404 for an unknown pet, and for one of another tenant', async () => {
    const other = await openShop(service);
    for (const petId of [randomUUID(), (await other.listPet()).id]) expectProblem(await adoptions.send(petId), 404, 'not-found');
  });

  it('is 409 for a pet that an order reserves, or that staff do not offer', async () => {
    const ordered = await shop.listPet();
    await shop.placeOrder(ordered.id);
    expectProblem(await adoptions.send(ordered.id), 409, 'conflict');
    for (const status of ['PENDING', 'ADOPTED', 'NOT_AVAILABLE'])
      expectProblem(await adoptions.send((await shop.listPet({ status })).id), 409, 'conflict');
  });

  it('reserves the pet for adoption: it cannot be ordered, set to another status or deleted', async () => {
    const pet = await shop.listPet();
    await adoptions.apply(pet.id);
    expectProblem(await shop.request('POST', '/v1/orders', { body: { petId: pet.id } }), 409, 'conflict');
    expectProblem(await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, status: 'AVAILABLE' } }), 409, 'conflict');
    expectProblem(await shop.requestAsStaff('DELETE', `/v1/pets/${pet.id}`), 409, 'conflict');
    const renamed = await shop.requestAsStaff<Pet>('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, status: 'PENDING', name: 'Rex' } });
    expect([renamed.status, renamed.json.name]).toEqual([200, 'Rex']);
  });

  it('is possible for several people until one of them gets the pet', async () => {
    const pet = await shop.listPet();
    const [first, second] = [await adoptions.apply(pet.id), await adoptions.apply(pet.id)];
    await adoptions.decide(first.id, 'rejection');
    await adoptions.expectPet(pet.id, 'PENDING');
    await adoptions.decide(second.id, 'rejection');
    await adoptions.expectPet(pet.id, 'AVAILABLE');
    expect((await shop.placeOrder(pet.id)).status).toBe('placed');
  });
});

/** Proves contract 9.2, contract 9.3 and contract 36.7. */
describe('a repeated application', () => {
  it('returns the first application with another token, and both tokens work', async () => {
    const pet = await shop.listPet();
    const idempotencyKey = randomUUID();
    const [first, again] = [await adoptions.send(pet.id, { idempotencyKey }), await adoptions.send(pet.id, { idempotencyKey })];
    const withoutToken = ({ json: { manageToken: _, ...adoption } }: HttpResponse<SubmittedAdoption>) => adoption;
    expect([again.status, withoutToken(again), again.headers['idempotent-replayed']]).toEqual([201, withoutToken(first), 'true']);
    for (const { json } of [first, again])
      expect((await shop.request('GET', `/v1/adoptions/${first.json.id}`, { token: json.manageToken })).status).toBe(200);
    const other = { idempotencyKey, body: { petId: pet.id, applicant: { ...APPLICANT, name: 'Somebody Else' } } };
    expectProblem(await shop.request('POST', '/v1/adoptions', other), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
  });

  it('is 409 once the applicant was erased', async () => {
    const pet = await shop.listPet();
    const idempotencyKey = randomUUID();
    const { id } = (await adoptions.send(pet.id, { idempotencyKey })).json;
    expect((await shop.requestAsStaff('DELETE', `/v1/adoptions/${id}`)).status).toBe(204);
    expectProblem(await adoptions.send(pet.id, { idempotencyKey }), 409, 'conflict');
  });
});

/** The requests of contract 36.4. */
const REQUESTS = {
  approval: ['POST', '/approval', 'approved'],
  rejection: ['POST', '/rejection', 'rejected'],
  withdrawal: ['POST', '/withdrawal', 'withdrawn'],
} as const;
type Step = keyof typeof REQUESTS;
const STEPS = Object.keys(REQUESTS) as readonly Step[];

/** Proves contract 36.4 and contract 36.5. The decider's spec tests every cell of the table in contract 36.4. */
describe('an application', () => {
  it.each(STEPS)('changes its status by %s; after that, every step returns 409', async (step) => {
    const pet = await shop.listPet();
    const { id } = await adoptions.apply(pet.id);
    const [method, path, status] = REQUESTS[step];
    const decided = await shop.requestAsStaff<Adoption>(method, `/v1/adoptions/${id}${path}`);
    expect([decided.status, decided.json.status, decided.json.reason]).toEqual([
      200,
      status,
      step === 'rejection' ? 'declined' : undefined,
    ]);
    const read = await shop.requestAsStaff<Adoption>('GET', `/v1/adoptions/${id}`);
    expect([read.json, read.headers.etag]).toEqual([decided.json, decided.headers.etag]);
    for (const next of STEPS)
      expectProblem(await shop.requestAsStaff(REQUESTS[next][0], `/v1/adoptions/${id}${REQUESTS[next][1]}`), 409, 'conflict');
    await adoptions.expectPet(pet.id, step === 'approval' ? 'ADOPTED' : 'AVAILABLE');
  });

  it('that is approved gets the pet, and the other applications for it are rejected', async () => {
    const pet = await shop.listPet();
    const [first, second, third] = [await adoptions.apply(pet.id), await adoptions.apply(pet.id), await adoptions.apply(pet.id)];
    await adoptions.decide(second.id, 'approval');
    expect((await shop.request<Pet>('GET', `/v1/pets/${pet.id}`)).json.status).toBe('ADOPTED');
    for (const { id } of [first, third]) {
      await adoptions.expectStatus(id, 'rejected');
      expect((await adoptions.read(id)).reason).toBe('pet_adopted');
    }
    expectProblem(await adoptions.send(pet.id), 409, 'conflict');
    expect((await shop.requestAsStaff('DELETE', `/v1/pets/${pet.id}`)).status).toBe(204);
    expect((await adoptions.read(second.id)).status).toBe('approved');
  });

  it('that does not exist is 404 for each request', async () => {
    const path = `/v1/adoptions/${randomUUID()}`;
    for (const [method, at] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/approval'],
      ['POST', '/rejection'],
      ['POST', '/withdrawal'],
    ] as const)
      expectProblem(await shop.requestAsStaff(method, `${path}${at}`), 404, 'not-found');
  });

  it('is changed only if the tag in If-Match is current', async () => {
    const pet = await shop.listPet();
    const { id } = await adoptions.apply(pet.id);
    const path = `/v1/adoptions/${id}`;
    const etag = (await shop.requestAsStaff('GET', path)).headers.etag ?? '';
    for (const [method, at] of [
      ['DELETE', ''],
      ['POST', '/approval'],
      ['POST', '/rejection'],
      ['POST', '/withdrawal'],
    ] as const)
      expectProblem(await shop.requestAsStaff(method, `${path}${at}`, { ifMatch: '"7.1"' }), 412, 'precondition-failed');
    expect((await shop.requestAsStaff('POST', `${path}/rejection`, { ifMatch: etag })).status).toBe(200);
  });
});

/** Proves contract 36.7. */
describe('the token of an application', () => {
  const asApplicant = (token: string, method: string, path: string, options: RequestOptions = {}) =>
    shop.request<Adoption>(method, path, { token, ...options });

  it('reads, withdraws and deletes this application alone', async () => {
    const [{ id: petId }, { id: otherPetId }] = [await shop.listPet(), await shop.listPet()];
    const [mine, other] = [await adoptions.apply(petId), await adoptions.apply(otherPetId)];
    const path = `/v1/adoptions/${other.id}`;
    for (const [method, at] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/withdrawal'],
    ] as const)
      expectProblem(await asApplicant(mine.manageToken, method, `${path}${at}`), 403, 'forbidden');
    expect((await adoptions.read(other.id)).status).toBe('submitted');
    expect((await asApplicant(mine.manageToken, 'POST', `/v1/adoptions/${mine.id}/withdrawal`)).json.status).toBe('withdrawn');
    expect((await asApplicant(mine.manageToken, 'DELETE', `/v1/adoptions/${mine.id}`)).status).toBe(204);
  });

  it('is 403 for every other operation, also for those that need no token', async () => {
    const { id: petId } = await shop.listPet();
    const { id, manageToken } = await adoptions.apply(petId);
    const requests = [
      ['GET', `/v1/pets/${petId}`],
      ['GET', '/v1/adoptions'],
      ['POST', '/v1/adoptions', { body: { petId } }],
      ['POST', `/v1/adoptions/${id}/approval`],
      ['POST', `/v1/adoptions/${id}/rejection`],
      ['POST', '/v1/orders', { body: { petId } }],
      ['GET', '/v1/inventories'],
      ['GET', '/v1/users/me'],
      ['GET', '/v1/auth/sessions'],
    ] as const;
    for (const [method, path, options] of requests) expectProblem(await asApplicant(manageToken, method, path, options), 403, 'forbidden');
  });

  it('is bound to the tenant', async () => {
    const { id: petId } = await shop.listPet();
    const { id, manageToken } = await adoptions.apply(petId);
    const elsewhere = await service.request('GET', `/v1/adoptions/${id}`, { token: manageToken, tenant: randomUUID() });
    expectProblem(elsewhere, 403, 'forbidden');
    expect((await service.request('GET', `/v1/adoptions/${id}`, { token: manageToken })).status).toBe(200);
  });

  it('is needed: without a token it is 401, and with the token of another user 403', async () => {
    const { id: petId } = await shop.listPet();
    const { id } = await adoptions.apply(petId);
    for (const [method, at] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/withdrawal'],
    ] as const) {
      expectProblem(await shop.request(method, `/v1/adoptions/${id}${at}`), 401, 'unauthorized');
      expectProblem(await shop.request(method, `/v1/adoptions/${id}${at}`, { token: await userToken('bob') }), 403, 'forbidden');
    }
  });
});

/** Proves contract 36.1 and contract 7.1. */
describe('the list of applications', () => {
  it('is for staff, newest first, with filters, and without tokens', async () => {
    const own = await openShop(service);
    const ownAdoptions = adoptionsIn(own);
    const [one, two] = [await own.listPet(), await own.listPet()];
    const sent = [await ownAdoptions.apply(one.id), await ownAdoptions.apply(one.id), await ownAdoptions.apply(two.id)];
    const [first, second, third] = sent.map(({ id }) => id);
    await ownAdoptions.decide(second ?? '', 'rejection');
    const list = async (query: string) => {
      const { json, text } = await own.requestAsStaff<Page<Adoption>>('GET', `/v1/adoptions${query}`);
      expect(text).not.toContain('manageToken');
      return [json.data.map(({ id }) => id), json.pagination.totalItems, Object.keys(json)];
    };
    const keys = ['data', 'pagination'];
    expect(await list('')).toEqual([[third, second, first], 3, keys]);
    expect(await list('?status=submitted')).toEqual([[third, first], 2, keys]);
    expect(await list(`?petId=${one.id}`)).toEqual([[second, first], 2, keys]);
    expect(await list(`?petId=${one.id}&status=rejected&page=1&limit=1`)).toEqual([[second], 1, keys]);
    expectProblem(await own.requestAsStaff('GET', '/v1/adoptions?status=open'), 422, 'validation-failed', { status: 'invalid_enum' });
    expectProblem(await own.request('GET', '/v1/adoptions'), 401, 'unauthorized');
    expectProblem(await own.request('GET', '/v1/adoptions', { token: await service.token('read:pets') }), 403, 'forbidden');
  });
});

/** Proves contract 36.8 and contract 38.1. */
describe('erasing an applicant', () => {
  it('withdraws an open application, removes it and its tokens, and frees the pet', async () => {
    const pet = await shop.listPet();
    const { id, manageToken } = await adoptions.apply(pet.id, { message: 'A garden.' });
    const asApplicant = (method: string) => shop.request(method, `/v1/adoptions/${id}`, { token: manageToken });
    expect((await asApplicant('DELETE')).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expectProblem(await asApplicant(method), 401, 'unauthorized');
      expectProblem(await shop.requestAsStaff(method, `/v1/adoptions/${id}`), 404, 'not-found');
    }
    for (const step of STEPS) expectProblem(await shop.requestAsStaff('POST', `/v1/adoptions/${id}/${step}`), 404, 'not-found');
    const { json } = await shop.requestAsStaff<Page<Adoption>>('GET', `/v1/adoptions?petId=${pet.id}`);
    expect(json.data).toEqual([]);
    await adoptions.expectPet(pet.id, 'AVAILABLE');
  });

  it('happens with the erasure of the account that applied', async () => {
    const { id: petId } = await shop.listPet();
    const { id: userId } = (await shop.request<{ id: string }>('POST', '/v1/users', { body: newUser() })).json;
    const token = await userToken(userId);
    const { id } = (await shop.request<SubmittedAdoption>('POST', '/v1/adoptions', { token, body: { petId, applicant: APPLICANT } })).json;
    expect((await adoptions.read(id)).applicant).toEqual(APPLICANT);
    expect((await shop.request('DELETE', `/v1/users/${userId}`, { token })).status).toBe(204);
    const { createdAt: _, updatedAt: __, ...record } = await adoptions.read(id);
    expect(record).toEqual({ id, petId, userId, status: 'submitted' });
  });

  it('keeps the decision, and the history shows nothing of the applicant', async () => {
    const pet = await shop.listPet();
    const { id } = await adoptions.apply(pet.id, { message: 'A canary message.' });
    await adoptions.decide(id, 'approval');
    const auditor = await service.token('audit:read ops', { subject: 'auditor' });
    const audit = (path: string) => shop.request(`GET`, `/v1/audit/${path}`, { token: auditor });
    expect((await audit(`adoptions/${id}?revision=0`)).text).toContain('A canary message.');
    expect((await shop.requestAsStaff('DELETE', `/v1/adoptions/${id}`)).status).toBe(204);
    await adoptions.expectPet(pet.id, 'ADOPTED');
    const history = await eventually('the history', async () => {
      const { text } = await audit(`streams/adoption-${id}`);
      return text.includes('AdoptionErased') ? text : null;
    });
    for (const text of [history, (await audit(`adoptions/${id}?revision=0`)).text]) expect(text).not.toMatch(/canary|Grace|grace@example/);
    expect(history).toMatch(/AdoptionSubmitted.*AdoptionApprovalStarted.*AdoptionApproved.*AdoptionErased/s);
  });
});
