import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { DEADLINES } from '../deadlines.js';
import { yieldToEventLoop } from '../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { eventually } from '../eventually.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';

const ROUNDS = 4;
const CLIENTS = 12;
const SEED = 20260104;
const PASSWORD = 'correct horse battery';

/** A registration. `id` is the account's id, or null if the service was killed before it responded. */
type Registration = { readonly username: string; id: string | null };

const register = (call: Call, username: string, idempotencyKey?: string) => {
  const body = { username, email: `${username}@example.com`, password: PASSWORD };
  return call('POST', '/v1/users', { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
};

const signsIn = async (call: Call, username: string): Promise<boolean> =>
  (await call('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } })).status === 201;

/** Repeats `send` from many clients at the same time, and kills the service as soon as `isEnough` returns true. */
const sendAndKill = async (
  service: ServiceProcess,
  clients: number,
  send: (call: Call) => Promise<void>,
  isEnough: (responses: number) => boolean | Promise<boolean>,
): Promise<void> => {
  const call = caller(service.url);
  let responses = 0;
  const client = async (): Promise<void> => {
    try {
      for (;;) {
        await send(call);
        responses++;
      }
    } catch {
      // The request failed because the service was killed.
    }
  };
  const running = Array.from({ length: clients }, client);
  while (!(await isEnough(responses))) await yieldToEventLoop();
  await service.kill9();
  await Promise.all(running);
};

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 30.2. */
describe('the accounts of a service that is killed while it registers them', () => {
  it('keep their names if their registration was acknowledged, and lose no name if it was not', async () => {
    const environment = { dataDir: newFolder(), env: { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' } };
    const random = createRandom(SEED);
    const registrations: Registration[] = [];
    const rejected: number[] = [];
    const registerNext = async (call: Call): Promise<void> => {
      const registration: Registration = { username: `user-${registrations.length}`, id: null };
      registrations.push(registration);
      const { status, json } = await register(call, registration.username, registration.username);
      if (status === 201) registration.id = String(json['id']);
      else rejected.push(status);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const count = 5 + Math.floor(random() * 40);
      await sendAndKill(await startServiceProcess(environment), CLIENTS, registerNext, (responses) => responses >= count);
    }
    expect(rejected).toEqual([]);

    const service = await startServiceProcess(environment);
    const call = caller(service.url);
    const interrupted = registrations.filter(({ id }) => id === null);
    for (const { username, id } of registrations.filter((each) => each.id !== null)) {
      const again = await register(call, username, username);
      expect([username, again.status, again.json['id'], await signsIn(call, username)]).toEqual([username, 201, id, true]);
      expect((await register(call, username)).status).toBe(409);
    }
    // Half of the interrupted registrations are repeated. For the others, a new account can get the username, unless
    // the account was registered before the kill.
    for (const [nth, { username }] of interrupted.entries()) {
      if (nth % 2 === 0) expect((await register(call, username, username)).status).toBe(201);
      else await eventually(`the name ${username}`, async () => (await register(call, username)).status === 201 || signsIn(call, username));
      expect([username, await signsIn(call, username)]).toEqual([username, true]);
    }
    await service.stop();
    const registered = snapshotOf(environment.dataDir).events.filter(({ type }) => type === 'UserRegistered');
    const digests = registered.map(({ data }) => (JSON.parse(data) as { usernameDigest: string }).usernameDigest);
    expect([digests.length, new Set(digests).size]).toEqual([registrations.length, registrations.length]);
    expect(interrupted.length).toBeGreaterThan(ROUNDS);
    process.stderr.write(`${registrations.length} registrations, ${interrupted.length} of them interrupted\n`);
  });
});

/** The number of users in a list. */
const USERS_OF_LIST = 4;
const CLIENTS_WITH_LISTS = 4;

/** Proves contract 39.7. */
describe('the lists of users of a service that is killed while it creates them', () => {
  it('have all of their users if they were acknowledged, and all or none if they were not', async () => {
    const environment = { dataDir: newFolder(), env: { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' } };
    const random = createRandom(SEED);
    const lists: { readonly usernames: readonly string[]; isCreated: boolean }[] = [];
    const rejected: number[] = [];
    const createNext = async (call: Call): Promise<void> => {
      const nth = lists.length;
      const list = { usernames: Array.from({ length: USERS_OF_LIST }, (_, index) => `user-${nth}-${index}`), isCreated: false };
      lists.push(list);
      const body = list.usernames.map((username) => ({ username, email: `${username}@example.com`, password: PASSWORD }));
      const { status } = await call('POST', '/api/v3/user/createWithList', { body });
      list.isCreated = status === 200;
      if (!list.isCreated) rejected.push(status);
    };
    const exists = async (call: Call, username: string) => (await call('GET', `/api/v3/user/${username}`)).status === 200;
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const service = await startServiceProcess(environment);
      const call = caller(service.url, await tokenFor(environment.dataDir, 'ops'));
      const count = 1 + Math.floor(random() * 4);
      const earlier = lists.length;
      // Kills the service as soon as the first user of an unfinished list can be seen.
      const isInTheMiddle = async (): Promise<boolean> => {
        const unfinished = lists.slice(earlier).filter(({ isCreated }) => !isCreated);
        return (await Promise.all(unfinished.map(({ usernames }) => exists(call, usernames[0] ?? '')))).includes(true);
      };
      await sendAndKill(service, CLIENTS_WITH_LISTS, createNext, (responses) => responses >= count && isInTheMiddle());
    }
    expect(rejected).toEqual([]);
    const service = await startServiceProcess(environment);
    const call = caller(service.url, await tokenFor(environment.dataDir, 'ops'));
    /** Returns the number of users of each list that exist. */
    const existing = () =>
      Promise.all(
        lists.map(async ({ usernames }) => {
          const found = await Promise.all(usernames.map((username) => exists(call, username)));
          return found.filter(Boolean).length;
        }),
      );
    const isWhole = (count: number): boolean => count === 0 || count === USERS_OF_LIST;
    const begun = (await existing()).filter((count) => !isWhole(count)).length;
    await eventually('all lists to be whole', async () => (await existing()).every(isWhole), DEADLINES.slow);
    const counts = await existing();
    expect(lists.filter(({ isCreated }, nth) => isCreated && counts[nth] === 0)).toEqual([]);
    // The names of a list that was undone are free again.
    for (const [nth, { usernames }] of lists.entries())
      if (counts[nth] === 0) expect((await register(call, usernames[0] ?? '')).status).toBe(201);
    process.stderr.write(
      `${lists.length} lists, ${lists.filter(({ isCreated }) => !isCreated).length} of them interrupted, ${begun} in the middle\n`,
    );
    expect(begun).toBeGreaterThan(0);
  });
});
