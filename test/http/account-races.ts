import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { User } from '../../apps/api/users/user.dto.js';
import type { HttpResponse } from '../servers/client.js';
import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';

const PASSWORD = 'correct horse battery';
const TAKEN_EMAIL = `taken-${randomUUID()}@example.com`;

const newName = (): string => `ann-${randomUUID().slice(0, 12)}`;
const emailOf = (username: string): string => `${username}@example.com`;

/** Tests concurrent requests that claim the names of accounts, `rounds` times. */
export const accountRaces = (rounds: number): void => {
  /** Proves contract 30.2. */
  describe(`names of accounts, ${rounds} times`, () => {
    let services: readonly [TestPetstore, TestPetstore];
    let service: TestPetstore;
    beforeAll(async () => {
      services = await startServiceWithTwoApis();
      [service] = services;
      expect((await create(service, newName(), { email: TAKEN_EMAIL })).status).toBe(201);
    });
    afterAll(async () => {
      for (const one of new Set(services)) await one.stop();
    });

    /** Sends concurrent requests, alternately to the two processes. */
    const race = <T>(count: number, send: (at: TestPetstore, nth: number) => Promise<T>): Promise<readonly T[]> =>
      Promise.all(Array.from({ length: count }, (_, nth) => send(services[nth % 2 === 0 ? 0 : 1], nth)));

    const create = (at: TestPetstore, username: string, fields: object = {}, idempotencyKey?: string): Promise<HttpResponse<User>> => {
      const body = { username, email: emailOf(username), password: PASSWORD, ...fields };
      return at.request<User>('POST', '/v1/users', { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    };
    const newAccount = async (): Promise<User> => (await create(service, newName())).json;
    const change = async (at: TestPetstore, { id }: User, body: object, headers: Record<string, string> = {}) =>
      at.request('PUT', `/v1/users/${id}`, { body, headers, token: await at.token('read:pets', { subject: id }) });

    const erase = async (at: TestPetstore, { id }: User) =>
      at.request('DELETE', `/v1/users/${id}`, { token: await at.token('read:pets', { subject: id }) });

    /** Whether a stranger can register with this name now. */
    const isFree = async (username: string): Promise<boolean> => {
      const { status, text } = await create(service, username, { email: emailOf(newName()) });
      if (status !== 201 && status !== 409) throw new Error(`returned ${status}: ${text}`);
      return status === 201;
    };
    const canSignIn = async (username: string): Promise<boolean> =>
      (await service.request('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } })).status === 201;

    const eachRound = async (play: () => Promise<string | null>): Promise<void> => {
      const faults = new Set<string>();
      for (let round = 0; round < rounds; round++) {
        const fault = await play();
        if (fault !== null) faults.add(fault);
      }
      expect([...faults]).toEqual([]);
    };

    it('stay in use if another change of the same account fails', () =>
      eachRound(async () => {
        const [account, username] = [await newAccount(), newName()];
        const [first, second] = await race(2, (at, nth) =>
          change(at, account, nth === 0 ? { username } : { username, email: TAKEN_EMAIL }),
        );
        const statuses = [first?.status, second?.status];
        if (statuses[0] !== 200 || statuses[1] !== 409) return `the changes returned ${statuses.join()}`;
        if (await isFree(username)) return 'a stranger got the name';
        return (await canSignIn(username)) ? null : 'the account cannot sign in';
      }));

    it('stay in use if another registration with the same Idempotency-Key fails', () =>
      eachRound(async () => {
        const [username, key] = [newName(), randomUUID()];
        const [first, second] = await race(2, (at, nth) => create(at, username, nth === 0 ? {} : { email: TAKEN_EMAIL }, key));
        const statuses = [first?.status, second?.status];
        if (statuses[0] === 201) {
          if (await isFree(username)) return 'a stranger got the name';
          return (await canSignIn(username)) ? null : 'the account cannot sign in';
        }
        return `the registrations returned ${statuses.join()}`;
      }));

    it('are free at once if a change of them loses against another one', () =>
      eachRound(async () => {
        const account = await service.request<User>('GET', `/v1/users/${(await newAccount()).id}`);
        const names = Array.from({ length: 6 }, newName);
        const changes = await race(names.length, (at, nth) =>
          change(at, account.json, { username: names[nth] }, { 'if-match': account.headers.etag ?? '' }),
        );
        if (changes.filter(({ status }) => status === 200).length !== 1) return `returned ${changes.map(({ status }) => status).join()}`;
        for (const [nth, { status }] of changes.entries())
          if ((await isFree(names[nth] ?? '')) !== (status !== 200))
            return `a change returned ${status}, and its name is not ${status === 200 ? 'taken' : 'free'}`;
        return null;
      }));

    it('are free at once if the account is erased during a change of them', () =>
      eachRound(async () => {
        const [account, username] = [await newAccount(), newName()];
        const [changed, erased] = await race(2, (at, nth) => (nth === 0 ? change(at, account, { username }) : erase(at, account)));
        if (erased?.status !== 204 || ![200, 404].includes(changed?.status ?? 0)) return `returned ${changed?.status}, ${erased?.status}`;
        for (const name of [account.username, username])
          if (!(await isFree(name))) return `a change returned ${changed?.status}, and a name stays taken`;
        return null;
      }));

    it('are free at once if two bodies with one Idempotency-Key race for them', () =>
      eachRound(async () => {
        const [names, key] = [[newName(), newName()], randomUUID()];
        const created = await race(2, (at, nth) => create(at, names[nth] ?? '', {}, key));
        for (const [nth, { status }] of created.entries()) {
          if (status !== 201 && status !== 422) return `returned ${status}`;
          if ((await isFree(names[nth] ?? '')) !== (status !== 201))
            return `a registration returned ${status}, and its name is not ${status === 201 ? 'taken' : 'free'}`;
        }
        return null;
      }));

    it('stay the same in 30 concurrent changes of the account, which all succeed', () =>
      eachRound(async () => {
        const account = await newAccount();
        const changes = await race(30, (at, nth) => change(at, account, { phone: `+1415555${1000 + nth}` }));
        const failed = changes.filter(({ status }) => status !== 200);
        if (failed.length > 0) return `${failed.length} changes returned ${failed[0]?.status}`;
        return (await isFree(account.username)) ? 'a stranger got the name' : null;
      }));

    it('are shown completely or not at all while the account is erased, and nowhere afterwards', () =>
      eachRound(async () => {
        const account = await newAccount();
        const path = `/v1/users/${account.id}`;
        let isErased = false;
        const reading = race(6, async (at) => {
          const seen: string[] = [];
          while (!isErased) {
            const { status, json } = await at.request<User>('GET', path);
            if (status !== 404 && (status !== 200 || json.username !== account.username))
              seen.push(`a read returned ${status} ${JSON.stringify(json)}`);
          }
          return seen;
        });
        const changing = race(4, (at, nth) => change(at, account, { phone: `+1415555012${nth}` }));
        const { status } = await erase(services[1], account);
        const after = await Promise.all(services.map((at) => at.request('GET', path)));
        isErased = true;
        const changes = await changing;
        const [fault] = (await reading).flat();
        if (fault !== undefined) return fault;
        if (changes.some((one) => one.status !== 200 && one.status !== 404 && one.status !== 401))
          return `a change returned ${changes.map((one) => one.status).join()}`;
        return [status, ...after.map((one) => one.status)].join() === '204,404,404'
          ? null
          : `returned ${status}, then ${after.map((one) => one.status).join()}`;
      }));
  });
};
