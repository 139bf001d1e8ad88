import { describe, expect, it } from '@jest/globals';
import type { TokenClaims } from '../../../libs/ports/access-token.port.js';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import type { Requirement } from './admission/access.js';
import { checkAccess, checkBinding, findOwnerRestriction } from './admission/authorization.js';
import { collectionJson, pageUrls } from './collections.js';
import { hasEntityTag, parseEntityTags } from './consistency/entity-tags.js';
import { Problem } from './problems/problem.js';
import { createRateLimiter, MAX_BUCKETS } from './admission/rate-limit.js';
import { rejectionProblem, REJECTION_PROBLEMS, type Reason } from './problems/rejection-problems.js';
import { createRoutes } from './pipeline/routes.js';
import { tenantOf } from './admission/admission.js';

const TENANT = '0190a000-0000-7000-8000-00000000000a';
const OTHER = '0190a000-0000-7000-8000-00000000000b';
const claims = (subject: string, ...scopes: readonly string[]): TokenClaims => ({ subject, scopes: new Set(scopes) });

describe('an operation', () => {
  const ann = claims('ann', 'read:pets');
  const staff = claims('staff', 'write:pets', 'write:orders', 'write:webhooks');

  // test/architecture/contract-tables.spec.ts compares the requirement of each operation with the contract.
  it.each<[string, Requirement, readonly (number | 'granted')[]]>([
    ['no token', 'nothing', ['granted', 'granted', 'granted']],
    ['any token', 'token', [401, 'granted', 'granted']],
    ['the token of the owner', 'owner', [401, 'granted', 'granted']],
    ['the scope write:pets', { scope: 'write:pets' }, [401, 403, 'granted']],
    ['the scope write:orders', { scope: 'write:orders' }, [401, 403, 'granted']],
    ['the scope write:webhooks', { scope: 'write:webhooks' }, [401, 403, 'granted']],
  ])('that requires %s checks callers without a token, with a user token and with a staff token', (_, requirement, expected) =>
    expect([null, ann, staff].map((caller) => checkAccess(requirement, caller)?.status ?? 'granted')).toEqual(expected),
  );

  it('for owners restricts a caller without a staff scope to the orders of this caller', () => {
    expect(findOwnerRestriction('owner', ann)).toBe('ann');
    expect(findOwnerRestriction('owner', staff)).toBeNull();
    expect(findOwnerRestriction('nothing', ann)).toBeNull();
  });

  it('rejects the token of an adoption application with 403, unless the operation is for applicants', () => {
    const ofApplication = { ...claims('adoption:1'), adoptionId: '1' };
    const requirements: readonly Requirement[] = ['nothing', 'token', 'owner', 'account', 'subject', { scope: 'write:pets' }];
    expect(requirements.map((requirement) => checkAccess(requirement, ofApplication)?.status)).toEqual(requirements.map(() => 403));
    expect([ofApplication, ann, staff, null].map((caller) => checkAccess('applicant', caller)?.status ?? 'granted')).toEqual([
      'granted',
      'granted',
      'granted',
      401,
    ]);
    expect([ofApplication, ann, staff].map((caller) => findOwnerRestriction('applicant', caller))).toEqual(['adoption:1', 'ann', null]);
  });

  it('for the subject restricts callers, even staff, to their own data', () => {
    expect([ann, staff].map((caller) => findOwnerRestriction('subject', caller))).toEqual(['ann', 'staff']);
  });
});

const bound = { ...claims('bound'), tenant: TENANT };

/** Proves contract 6.5. */
describe('an operation of the whole store', () => {
  it('rejects a token that is bound to a tenant, if it needs a token', () => {
    expect(checkBinding({ scope: 'ops' }, bound)?.status).toBe(403);
    expect(checkBinding({ scope: 'ops' }, claims('ops', 'ops'))).toBeNull();
    expect([checkBinding('nothing', bound), checkBinding('nothing', null)]).toEqual([null, null]);
  });
});

describe('the tenant of a request', () => {
  const unbound = claims('unbound');
  const ops = claims('ops', 'ops');
  const resolved = (...args: Parameters<typeof tenantOf>): string | number => {
    const tenant = tenantOf(...args);
    return tenant instanceof Problem ? tenant.status : tenant;
  };

  it.each<[string, string | undefined, TokenClaims | null, string | number, string | number]>([
    ['without a token or a header', undefined, null, 'shared', 'shared'],
    ['without a token, with a header', TENANT, null, TENANT, TENANT],
    ['with a header in upper case', TENANT.toUpperCase(), null, TENANT, TENANT],
    ['with a header that is not a UUID', 'acme', null, 400, 400],
    ['with an empty header', '', null, 400, 400],
    ['with a bound token, without a header', undefined, bound, TENANT, TENANT],
    ['with a bound token and the header of its tenant', TENANT, bound, TENANT, TENANT],
    ['with a bound token and the header of another tenant', OTHER, bound, 403, 403],
    ['with an unbound token, without a header', undefined, unbound, 'shared', 'shared'],
    ['with an unbound token and a header', TENANT, unbound, TENANT, 403],
    ['with an unbound token with scope ops, and a header', TENANT, ops, TENANT, TENANT],
  ])('%s is resolved or rejected under both access policies', (_, header, caller, documented, strict) => {
    expect([resolved(header, caller, 'documented'), resolved(header, caller, 'strict')]).toEqual([documented, strict]);
  });
});

describe('the rate limit', () => {
  const given = () => {
    const clock = manualClock('2026-01-02T03:04:10Z');
    return { clock, limiter: createRateLimiter({ limit: 2, windowSeconds: 60 }, clock) };
  };

  it('counts down for each key, then rejects', () => {
    const { limiter } = given();
    expect(limiter.take('ann')).toEqual({ allowed: true, remaining: 1, resetSeconds: 50 });
    expect(limiter.take('ann')).toEqual({ allowed: true, remaining: 0, resetSeconds: 50 });
    expect(limiter.take('ann')).toEqual({ allowed: false, remaining: 0, resetSeconds: 50 });
    expect(limiter.take('bob').allowed).toBe(true);
  });

  it('counts from zero in each window', () => {
    const { limiter, clock } = given();
    for (let count = 0; count < 3; count++) limiter.take('ann');
    clock.advance(49_999);
    expect(limiter.take('ann')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    clock.advance(1);
    expect(limiter.take('ann')).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 });
  });

  it('starts a new window when the clock is set back', () => {
    const { limiter, clock } = given();
    limiter.take('ann');
    clock.set('2026-01-01T00:00:00Z');
    expect(limiter.take('ann')).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 });
  });

  it('has a limited number of buckets, and all further callers share one', () => {
    const { limiter } = given();
    for (let caller = 0; caller < MAX_BUCKETS; caller++) limiter.take(`caller ${caller}`);
    expect([limiter.take('late').remaining, limiter.take('later').remaining, limiter.take('latest').allowed]).toEqual([1, 0, false]);
    expect(limiter.take('caller 0').allowed).toBe(true);
  });
});

describe('entity tags', () => {
  it.each<[string, ReturnType<typeof parseEntityTags>]>([
    ['*', 'any'],
    ['"3.1"', ['3.1']],
    ['"3.1", "4.1"', ['3.1', '4.1']],
    ['"3.1",W/"4.1"', ['3.1', '4.1']],
    ['W/"3.1"', ['3.1']],
    ['"3.1-gzip", "4.1-br", W/"5.1.e-zstd"', ['3.1', '4.1', '5.1.e']],
    ['"3.1-gzip-x", "gzip", "-gzip"', ['3.1-gzip-x', 'gzip', '']],
    ['3.1', null],
    ['"3.1', null],
    ['', null],
    ['"3.1" , ', ['3.1']],
  ])('of the header If-Match: %s are parsed', (header, expected) => expect(parseEntityTags(header)).toEqual(expected));

  it.each([
    ['"3.1"', true],
    ['W/"3.1"', true],
    ['"1.1", "3.1"', true],
    ['"3.1-gzip"', true],
    ['"1.1", W/"3.1-br"', true],
    ['"3.1-gzip-br"', false],
    ['*', true],
    ['"3.10"', false],
    ['3.1', false],
  ])('of the header If-None-Match: %s match the tag 3.1: %s', (header, expected) => expect(hasEntityTag(header, '3.1')).toBe(expected));

  it('that is a digest and ends like a coding matches itself', () => expect(hasEntityTag('W/"YX-br"', 'YX-br')).toBe(true));
});

describe('a collection', () => {
  const links = (totalItems: number, page: number, limit = 20): object =>
    (JSON.parse(collectionJson({ items: [], totalItems }, { page, limit }, (other) => `p${other}`)) as { links: object }).links;

  it('contains the JSON of its items', () =>
    expect(JSON.parse(collectionJson({ items: ['{"a":1}', '{"b":2}'], totalItems: 41 }, { page: 1, limit: 20 }))).toEqual({
      data: [{ a: 1 }, { b: 2 }],
      pagination: { page: 1, limit: 20, totalItems: 41, totalPages: 3 },
    }));

  it.each([
    [41, 1, { self: 'p1', first: 'p1', last: 'p3', next: 'p2', prev: null }],
    [41, 3, { self: 'p3', first: 'p1', last: 'p3', next: null, prev: 'p2' }],
    [40, 2, { self: 'p2', first: 'p1', last: 'p2', next: null, prev: 'p1' }],
    [0, 1, { self: 'p1', first: 'p1', last: 'p1', next: null, prev: null }],
    [41, 9, { self: 'p9', first: 'p1', last: 'p3', next: null, prev: 'p3' }],
  ])('of %i items has links on page %i', (totalItems, page, expected) => expect(links(totalItems, page)).toEqual(expected));

  it('has links with the filters of the request', () =>
    expect(pageUrls('https://pets.test/v1/orders', { userId: 'a&b "c"', page: 1, limit: 5 }, 5)(2)).toBe(
      'https://pets.test/v1/orders?userId=a%26b%20%22c%22&page=2&limit=5',
    ));
});

describe('rejections', () => {
  it('each have a problem', () => {
    for (const reason of Object.keys(REJECTION_PROBLEMS) as Reason[])
      expect(rejectionProblem({ rejected: reason }).status).toBeGreaterThanOrEqual(400);
  });

  it('list an error for each field that they name', () =>
    expect(rejectionProblem({ rejected: 'payment_mismatch', fields: ['amount', 'currency'] }).errors).toEqual([
      { field: 'amount', code: 'mismatch', message: 'must equal the amount due for the order' },
      { field: 'currency', code: 'mismatch', message: 'must equal the amount due for the order' },
    ]));

  it('list errors on every 422 (contract 4.4)', () => {
    for (const reason of Object.keys(REJECTION_PROBLEMS) as Reason[]) {
      const { status, errors } = rejectionProblem({ rejected: reason });
      // The rejection `name_taken` is a 409 with an error, which says which of two names is in use (contract 30.2).
      expect([reason, status === 422 || reason === 'name_taken']).toEqual([reason, errors !== undefined]);
    }
  });
});

describe('routes', () => {
  const routes = createRoutes();
  routes.add({ method: 'GET', url: '/v1/pets/:id' });
  routes.add({ method: 'PUT', url: '/v1/pets/:id' });
  routes.add({ method: 'POST', url: '/v1/pets/search' });

  it.each([
    ['/v1/pets/5', 'GET, OPTIONS, PUT'],
    ['/v1/pets/search', 'OPTIONS, POST'],
    ['/v1/pets/', null],
    ['/v1/pets/5/6', null],
  ])('of the path %s have the Allow header %s', (path, allow) => expect(routes.allowed(path)).toBe(allow));
});
