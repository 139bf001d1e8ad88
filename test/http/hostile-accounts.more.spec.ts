import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { AccessToken } from '../../apps/api/sign-in/sign-in.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { countingHasher } from './counting-hasher.js';
import { expectProblem } from './problems.js';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

const clock = manualClock('2026-01-02T03:04:05Z');
const passwords = countingHasher();
/** The number of guesses that the limits must slow down. */
const GUESSES = 10_000;

let service: OwnPetstore;
let proxied: OwnPetstore;
beforeAll(async () => {
  service = await startOwnPetstore({}, { clock, passwords });
  proxied = await startOwnPetstore({ RATE_LIMIT: '100000/60s', TRUSTED_PROXIES: '127.0.0.1' }, { clock, passwords });
});
afterAll(() => Promise.all([service.stop(), proxied.stop()]));

const from = (address: string) => ({ 'x-forwarded-for': address });
const newUser = (fields: object = {}) => {
  const username = `ann-${randomUUID().slice(0, 8)}`;
  return { username, email: `${username}@example.com`, password: PASSWORD, ...fields };
};
const create = async (on: OwnPetstore, options: object = {}): Promise<User> => {
  const { status, json, text } = await on.request<User>('POST', '/v1/users', { body: newUser(), ...options });
  if (status !== 201) throw new Error(`returned ${status}: ${text}`);
  return json;
};
const signIn = (on: OwnPetstore, username: string, password: string, options: object = {}) =>
  on.request<AccessToken>('POST', '/v1/auth/tokens', { body: { username, password }, ...options });
/** Returns how often `hash` and `verify` of the hasher are called during `work`. */
const hasherCalls = async (work: () => Promise<unknown>): Promise<object> => {
  const before = { ...passwords.calls };
  await work();
  return { hash: passwords.calls.hash - before.hash, verify: passwords.calls.verify - before.verify };
};

/** Names with invisible characters: each looks like `ann`, or is blank. */
const INVISIBLE = {
  'a zero-width space': 'a\u200bnn',
  'a zero-width joiner': 'a\u200dnn',
  'a word joiner': 'ann\u2060',
  'a byte order mark': '\ufeffann',
  'a soft hyphen': 'an\u00adn',
  'a change of direction': '\u202enna',
  'an isolated direction': '\u2066ann\u2069',
  'a variation selector': 'ann\ufe0f',
  'a grapheme joiner': 'a\u034fnn',
  'a Hangul filler': 'ann\u3164',
  'a halfwidth filler': 'ann\uffa0',
  'a Mongolian vowel separator': 'a\u180enn',
  'an invisible plus': 'ann\u2064',
  'a language tag': 'ann\u{e0041}',
  'a private-use character': 'ann\ue000',
  'an unassigned character': 'ann\u{2fffe}',
  'a C1 control character': 'ann\u0085x',
  'a line separator': 'ann\u2028x',
  'a blank Braille pattern': 'ann\u2800',
  'nothing but zero-width spaces': '\u200b\u200b\u200b',
};

/** Names with letters of several scripts. Their foreign letters look like Latin ones. */
const MIXED = {
  'a Cyrillic letter': '\u0430nn',
  'a Greek letter': 'ann\u03bf',
  'Greek and Cyrillic letters': '\u03b1\u043d\u043d',
  'a Cyrillic letter after a full-width one': '\uff41\u043dn',
  'the name of the administrator': '\u0430dmin',
};

/** Proves contract 30.2. */
describe('a username that looks like another', () => {
  it.each(Object.entries(INVISIBLE))('because of %s is rejected', async (_, username) => {
    const response = await service.request('POST', '/v1/users', { body: newUser({ username }) });
    expectProblem(response, 422, 'validation-failed', { username: 'INVALID_FORMAT' });
  });

  it.each(Object.entries(MIXED))('because of %s is rejected', async (_, username) => {
    const response = await service.request('POST', '/v1/users', { body: newUser({ username }) });
    expectProblem(response, 422, 'validation-failed', { username: 'INVALID_FORMAT' });
  });

  it('is rejected in a change too, and so is an invisible character in an email address', async () => {
    const { id } = await create(service);
    const token = await service.token('', { subject: id });
    const change = (body: object) => service.request('PUT', `/v1/users/${id}`, { token, body });
    expectProblem(await change({ username: 'an\u200bn' }), 422, 'validation-failed', { username: 'INVALID_FORMAT' });
    expectProblem(await change({ email: 'an\u200bn@example.com' }), 422, 'validation-failed', { email: 'INVALID_FORMAT' });
  });

  it.each(['ann \u00e4 lee', '\u0430\u043d\u043d\u0430', '\u03b1\u03bd\u03bd\u03b1', '\u6771\u4eac ann', '\ud83d\udc36\ud83d\udc31 ann'])(
    'does not include names in other scripts, which are accepted: %s',
    async (name) => {
      const body = newUser({ username: `${name} ${String(passwords.calls.hash)}` });
      expect((await service.request('POST', '/v1/users', { body })).status).toBe(201);
    },
  );

  it.each([
    ['upper case', (name: string) => name.toUpperCase()],
    ['full-width letters', (name: string) => name.replace('a', '\uff41')],
    ['mathematical letters', (name: string) => name.replace('a', '\u{1d41a}')],
    ['a ligature', (name: string) => name.replace('fi', '\ufb01')],
    ['a sharp s', (name: string) => name.replace('ss', '\u00df')],
    ['a long s', (name: string) => name.replace('s', '\u017f')],
    ['a capital sharp s', (name: string) => name.replace('ss', '\u1e9e')],
    ['the sign for kelvin', (name: string) => name.replace('k', '\u212a')],
    ['several spaces', (name: string) => name.replace(' ', '   ')],
    ['a non-breaking space', (name: string) => name.replace(' ', '\u00a0')],
  ])('because of %s is the same name: it is in use, and signs in to the same account', async (_, disguise) => {
    const username = `anna fisskel ${randomUUID().slice(0, 8)}`;
    await create(service, { body: newUser({ username }) });
    expect(disguise(username)).not.toBe(username);
    const response = await service.request('POST', '/v1/users', { body: newUser({ username: disguise(username) }) });
    expectProblem(response, 409, 'conflict', { username: 'not_unique' });
    expect((await signIn(service, disguise(username), PASSWORD)).status).toBe(201);
  });
});

/** Proves contract 30.3 and contract 30.7. */
describe('a guessed password', () => {
  it.each([
    ['another case', PASSWORD.toUpperCase()],
    ['a space at its end', `${PASSWORD} `],
    ['a zero-width space', `${PASSWORD}\u200b`],
    ['a Cyrillic letter', PASSWORD.replace('o', '\u043e')],
    ['a full-width letter', PASSWORD.replace('o', '\uff4f')],
    ['its beginning', PASSWORD.slice(0, -1)],
    ['a zero byte after it', `${PASSWORD}\u0000`],
  ])('that differs by %s is wrong', async (_, password) => {
    const { username } = await create(service);
    expect((await signIn(service, username, password)).status).toBe(401);
  });

  it('costs one verification of a hash, whether the name exists or not, so that the time reveals nothing', async () => {
    const { username } = await create(service);
    const erased = await create(service);
    await service.request('DELETE', `/v1/users/${erased.id}`, { token: await service.token('ops') });
    for (const name of [username, username.toUpperCase(), erased.username, randomUUID(), '\u202e', 'x'.repeat(254)])
      expect([name, await hasherCalls(() => signIn(service, name, 'wrong password'))]).toEqual([name, { hash: 0, verify: 1 }]);
  });

  it('gets a response that does not depend on the name', async () => {
    const { username } = await create(service);
    const responses = await Promise.all([username, randomUUID()].map((name) => signIn(service, name, 'wrong password')));
    const [known, unknown] = responses.map(({ status, text, headers }) => {
      const { 'x-request-id': _, ...others } = headers;
      return { status, text, headers: others };
    });
    expect(known).toEqual(unknown);
  });
});

/** Proves contract 11.2 and contract 30.7. */
describe(`${GUESSES} guesses`, () => {
  it('from one address cause five hashes, and then one a minute, even with the tokens of many accounts', async () => {
    const victim = await create(proxied, { headers: from('192.0.2.1') });
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, nth) => proxied.token('read:pets', { subject: `account-${nth}` })));
    const statuses = new Set<number>();
    const guess = async (nth: number): Promise<void> => {
      const options = { headers: from('192.0.2.2'), ...(nth % 2 === 0 && { token: tokens[nth % tokens.length] }) };
      statuses.add((await signIn(proxied, victim.username, `guess ${nth}`, options)).status);
    };
    const calls = await hasherCalls(async () => {
      for (let minute = 0; minute < 10; minute++) {
        for (let nth = 0; nth < GUESSES / 10; nth += 50)
          await Promise.all(Array.from({ length: 50 }, (_, more) => guess(minute * (GUESSES / 10) + nth + more)));
        clock.advance(MINUTE);
      }
    });
    expect([calls, [...statuses].toSorted()]).toEqual([{ hash: 0, verify: 14 }, [401, 429]]);
  });

  it('from 1,000 addresses at one username cause 100 hashes in an hour, whether or not an account has it', async () => {
    for (const username of [(await create(proxied, { headers: from('192.0.2.4') })).username, randomUUID()]) {
      const address = (nth: number) => `198.51.${nth % 250}.${Math.floor(nth / 250)}`;
      const guess = (nth: number) => signIn(proxied, username, `guess ${nth}`, { headers: from(address(nth)) });
      const calls = await hasherCalls(async () => {
        for (let nth = 0; nth < 1_000; nth += 50) await Promise.all(Array.from({ length: 50 }, (_, more) => guess(nth + more)));
      });
      expect(calls).toEqual({ hash: 0, verify: 100 });
      const { headers } = await guess(1_000);
      expect([headers['ratelimit-remaining'], headers['ratelimit-reset'], headers['retry-after']]).toEqual(['0', '3600', '3600']);
    }
  });

  it('from 1,000 addresses do not lock the owner out, who has signed in before', async () => {
    const { username } = await create(proxied, { headers: from('192.0.2.5') });
    const atHome = { headers: from('192.0.2.6') };
    expect((await signIn(proxied, username, PASSWORD, atHome)).status).toBe(201);
    const guess = (nth: number) =>
      signIn(proxied, username, `guess ${nth}`, { headers: from(`198.51.${nth % 250}.${Math.floor(nth / 250)}`) });
    for (let nth = 0; nth < 1_000; nth += 50) await Promise.all(Array.from({ length: 50 }, (_, more) => guess(nth + more)));
    expect((await signIn(proxied, username, PASSWORD, { headers: from('192.0.2.7') })).status).toBe(429);
    expect((await signIn(proxied, username, PASSWORD, atHome)).status).toBe(201);
  });

  it('are not possible by registration either: one address can register ten accounts a minute', async () => {
    clock.advance(MINUTE);
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth++)
      statuses.push((await proxied.request('POST', '/v1/users', { body: newUser(), headers: from('192.0.2.3') })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
  });
});

/** Proves contract 9.2, contract 9.3 and contract 9.4. */
describe('a replayed registration', () => {
  it('neither changes the password nor reveals whether it is the same', async () => {
    const [body, idempotencyKey] = [newUser(), randomUUID()];
    const first = await service.request<User>('POST', '/v1/users', { body, idempotencyKey });
    const replay = (password: string) => service.request('POST', '/v1/users', { body: { ...body, password }, idempotencyKey });
    const calls = await hasherCalls(async () => {
      for (const password of [PASSWORD, 'another password'])
        expect([(await replay(password)).status, (await replay(password)).text]).toEqual([201, first.text]);
    });
    expect(calls).toEqual({ hash: 0, verify: 0 });
    expect((await signIn(service, body.username, 'another password')).status).toBe(401);
  });

  it('does not match the first one in another tenant or for another caller', async () => {
    const [body, idempotencyKey] = [newUser(), randomUUID()];
    const post = (options: object) => service.request<User>('POST', '/v1/users', { body, idempotencyKey, ...options });
    const { id } = (await post({})).json;
    expect((await post({ tenant: randomUUID() })).json.id).not.toBe(id);
    expectProblem(await post({ token: await service.token('', { subject: 'bob' }) }), 409, 'conflict', {
      username: 'not_unique',
      email: 'not_unique',
    });
  });

  it('with another body reveals nothing about the account', async () => {
    const [body, idempotencyKey] = [newUser(), randomUUID()];
    const { id } = (await service.request<User>('POST', '/v1/users', { body, idempotencyKey })).json;
    const response = await service.request('POST', '/v1/users', { body: newUser(), idempotencyKey });
    expectProblem(response, 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
    for (const secret of [id, body.username, body.email]) expect(response.text).not.toContain(secret);
  });
});

/** Proves contract 30.3 and contract 30.4. */
describe('30 concurrent changes of one password', () => {
  it('cost one hash each, even if a conflict repeats the decision, and exactly one password works afterwards', async () => {
    const { id, username } = await create(service);
    const token = await service.token('', { subject: id });
    const change = (nth: number) => service.request('PUT', `/v1/users/${id}`, { token, body: { password: `new password ${nth}` } });
    const calls = await hasherCalls(() => Promise.all(Array.from({ length: 30 }, (_, nth) => change(nth))));
    expect(calls).toEqual({ hash: 30, verify: 0 });
    const statuses = [(await signIn(service, username, PASSWORD)).status];
    for (let nth = 0; nth < 30; nth++) statuses.push((await signIn(service, username, `new password ${nth}`)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  });
});
