import { afterEach, describe, expect, it } from '@jest/globals';
import { DEADLINES } from '../deadlines.js';
import { yieldToEventLoop } from '../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { eventually } from '../eventually.js';
import type { Call, JsonResponse } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { startClients, type Load } from './clients-load.js';
import { callerOf, killInRounds, startKilledService } from './kills.js';
import { Ledger } from './ledger.js';

const ROUNDS = 4;
const CLIENTS = 12;
const SEED = 20260104;
const PASSWORD = 'correct horse battery';

const register = (call: Call, username: string, idempotencyKey?: string) => {
  const body = { username, email: `${username}@example.com`, password: PASSWORD };
  return call('POST', '/v1/users', { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
};

const signsIn = async (call: Call, username: string): Promise<boolean> =>
  (await call('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } })).status === 201;

/** Starts clients that send one write after another. A write that is rejected is not lost, but unexpected. */
const startWrites = <Write>(
  clients: number,
  writes: Ledger<Write, JsonResponse>,
  make: () => Write,
  sending: (write: Write) => Promise<JsonResponse>,
): Load =>
  startClients(
    Array.from(
      { length: clients },
      () => async () => ((await writes.send(make(), sending)) ? ('answered' as const) : ('no answer' as const)),
    ),
  );

const rejectedOf = <Write>({ outcomes }: Ledger<Write, JsonResponse>): readonly number[] =>
  outcomes.flatMap(({ response }) => (response && response.status >= 300 ? [response.status] : []));

const isSuccess = ({ status }: JsonResponse): boolean => status < 300;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 30.2. */
describe('the accounts of a service that is killed while it registers them', () => {
  it('keep their names if their registration was acknowledged, and lose no name if it was not', async () => {
    const dataDir = newFolder();
    const killed = await startKilledService(dataDir);
    const call = callerOf(killed);
    const registrations = new Ledger<{ readonly username: string }, JsonResponse>(isSuccess);
    let load: Load;
    await killInRounds(
      killed,
      {
        async start() {
          const next = () => ({ username: `user-${registrations.outcomes.length}` });
          load = startWrites(CLIENTS, registrations, next, ({ username }) => register(call, username, username));
          return load;
        },
        moment: (random) => load.after(5 + Math.floor(random() * 40), 'answered'),
      },
      { rounds: ROUNDS, seed: SEED },
    );
    expect(rejectedOf(registrations)).toEqual([]);

    const service = killed.process();
    const interrupted = registrations.unanswered();
    for (const { request, response } of registrations.acknowledged()) {
      const { username } = request;
      const id = String(response.json['id']);
      const again = await register(call, username, username);
      expect([username, again.status, again.json['id'], await signsIn(call, username)]).toEqual([username, 201, id, true]);
      expect((await register(call, username)).status).toBe(409);
    }
    // Half of the interrupted registrations are repeated. For the others, a new account can get the username, unless
    // the account was registered before the kill.
    for (const [nth, { request }] of interrupted.entries()) {
      const { username } = request;
      if (nth % 2 === 0) expect((await register(call, username, username)).status).toBe(201);
      else await eventually(`the name ${username}`, async () => (await register(call, username)).status === 201 || signsIn(call, username));
      expect([username, await signsIn(call, username)]).toEqual([username, true]);
    }
    await service.stop();
    const registered = snapshotOf(dataDir).events.filter(({ type }) => type === 'UserRegistered');
    const digests = registered.map(({ data }) => (JSON.parse(data) as { usernameDigest: string }).usernameDigest);
    expect([digests.length, new Set(digests).size]).toEqual([registrations.outcomes.length, registrations.outcomes.length]);
    expect(interrupted.length).toBeGreaterThan(ROUNDS);
    process.stderr.write(`${registrations.outcomes.length} registrations, ${interrupted.length} of them interrupted\n`);
  });
});

/** The number of users in a list. */
const USERS_OF_LIST = 4;
const CLIENTS_WITH_LISTS = 4;

/** Proves contract 39.7. */
describe('the lists of users of a service that is killed while it creates them', () => {
  it('have all of their users if they were acknowledged, and all or none if they were not', async () => {
    const dataDir = newFolder();
    const killed = await startKilledService(dataDir);
    const token = await tokenFor(dataDir, 'ops');
    const call = callerOf(killed, token);
    const lists = new Ledger<readonly string[], JsonResponse>(isSuccess);
    const exists = async (username: string) => (await call('GET', `/api/v3/user/${username}`)).status === 200;
    let load: Load;
    let earlier = 0;
    await killInRounds(
      killed,
      {
        async start() {
          earlier = lists.outcomes.length;
          const next = () => {
            const nth = lists.outcomes.length;
            return Array.from({ length: USERS_OF_LIST }, (_, index) => `user-${nth}-${index}`);
          };
          load = startWrites(CLIENTS_WITH_LISTS, lists, next, (usernames) => {
            const body = usernames.map((username) => ({ username, email: `${username}@example.com`, password: PASSWORD }));
            return call('POST', '/api/v3/user/createWithList', { body });
          });
          return load;
        },
        // As soon as the first user of an unfinished list can be seen.
        async moment(random) {
          await load.after(1 + Math.floor(random() * 4), 'answered');
          const isInTheMiddle = async (): Promise<boolean> => {
            const unfinished = lists.outcomes.slice(earlier).filter(({ response }) => response === null);
            return (await Promise.all(unfinished.map(({ request }) => exists(request[0] ?? '')))).includes(true);
          };
          while (!(await isInTheMiddle())) await yieldToEventLoop();
        },
      },
      { rounds: 2 * ROUNDS, seed: SEED },
    );
    expect(rejectedOf(lists)).toEqual([]);
    /** Returns the number of users of each list that exist. */
    const existing = () =>
      Promise.all(
        lists.outcomes.map(async ({ request }) => {
          const found = await Promise.all(request.map((username) => exists(username)));
          return found.filter(Boolean).length;
        }),
      );
    const isWhole = (count: number): boolean => count === 0 || count === USERS_OF_LIST;
    const begun = (await existing()).filter((count) => !isWhole(count)).length;
    await eventually('all lists to be whole', async () => (await existing()).every(isWhole), DEADLINES.slow);
    const counts = await existing();
    expect(lists.outcomes.filter(({ response }, nth) => response !== null && counts[nth] === 0)).toEqual([]);
    // The names of a list that was undone are free again.
    for (const [nth, { request }] of lists.outcomes.entries())
      if (counts[nth] === 0) expect((await register(call, request[0] ?? '')).status).toBe(201);
    process.stderr.write(`${lists.outcomes.length} lists, ${lists.unanswered().length} of them interrupted, ${begun} in the middle\n`);
    expect(begun).toBeGreaterThan(0);
  });
});
