import { expect } from '@jest/globals';
import * as oauth from 'openid-client';
import type { RegisteredClient } from '../http/oauth-people.js';
import { caller } from '../servers/calling.js';
import { addClient, connectAs, obtainCode, refresh, register, type ClientTokens, type SceneHost } from './accounts-scene.js';
import { startClients, type Load } from './clients-load.js';
import { killInRounds, waitTurns, type KillTarget } from './kills.js';
import { Ledger, type Entry } from './ledger.js';
import { addProgram, useProgram } from './program-kills.js';

/** A service with the public URL SCENE_URL, at an address that may change when it is started again. */
export type AuthorizationTarget = KillTarget & { readonly url: () => string };

/** Something that a client can exchange for tokens: a code once, and a refresh token up to five times within 10 s. */
type Exchange = { readonly kind: 'code' | 'rotation'; readonly send: (sender: oauth.Configuration) => Promise<ClientTokens> };

const isInvalidGrant = (error: unknown): boolean => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant';

const MOST_EXCHANGES = { code: 1, rotation: 5 } as const;

/** Returns the tokens of an exchange, or null if it is rejected because it happened before. */
const exchangeAgain = async ({ send }: Exchange, config: oauth.Configuration): Promise<ClientTokens | null> => {
  try {
    return await send(config);
  } catch (error) {
    if (isInvalidGrant(error)) return null;
    throw error;
  }
};

const statusOf = async (url: string, { access }: ClientTokens): Promise<number> =>
  (await caller(url, access)('GET', '/v1/users/me')).status;

/** The people and the clients of all rounds. `operator` is a token with the scope ops. */
type Scene = {
  readonly usernames: readonly string[];
  readonly client: RegisteredClient;
  readonly program: RegisteredClient;
  readonly operator: string;
};

/** Returns an exchange of a code and one of a refresh token for each person. */
const exchangesOf = async (url: string, config: oauth.Configuration, usernames: readonly string[]): Promise<readonly Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const username of usernames) {
    const [code, other] = [await obtainCode(url, config, username), await obtainCode(url, config, username)];
    const { refresh: token } = await other(config);
    exchanges.push({ kind: 'code', send: code }, { kind: 'rotation', send: (sender) => refresh(sender, token) });
  }
  return exchanges;
};

/** Expects that no more than MOST_EXCHANGES succeed, and that one more ends all tokens. Returns how many succeeded after the kill. */
const expectFewExchanges = async (url: string, config: oauth.Configuration, exchanged: Entry<Exchange, ClientTokens>): Promise<number> => {
  const { request, response } = exchanged;
  const { kind } = request;
  if (response) expect([kind, await statusOf(url, response)]).toEqual([kind, 200]);
  const given = response ? [response] : [];
  for (let again = await exchangeAgain(request, config); again; again = await exchangeAgain(request, config)) {
    given.push(again);
    expect([kind, await statusOf(url, again)]).toEqual([kind, 200]);
    expect(given.length).toBeLessThanOrEqual(MOST_EXCHANGES[kind]);
  }
  for (const tokens of given) expect([kind, await statusOf(url, tokens)]).toEqual([kind, 401]);
  return given.length - (response ? 1 : 0);
};

const PEOPLE = 8;

/** Creates accounts, and registers a client and a program. */
export const preparePeople = async (host: SceneHost): Promise<Scene> => {
  const usernames = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);
  for (const username of usernames) await register(caller(host.url), username);
  return { usernames, client: await addClient(host, { name: 'Pet Finder' }), program: await addProgram(host), operator: host.operator };
};

/**
 * Kills a service while clients exchange codes and refresh tokens, and while a program is used, as `useProgram` does. Expects of each
 * person that a new sign-in works, and that kills have lost some responses.
 */
export const killDuringExchanges = async (
  target: AuthorizationTarget,
  { usernames, client, operator, ...first }: Scene,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<void> => {
  const counts: { readonly answered: number; readonly lost: number; readonly repeated: number }[] = [];
  let { program } = first;
  let exchanged: Ledger<Exchange, ClientTokens>;
  let load: Load;
  let checkProgram: Awaited<ReturnType<typeof useProgram>>;
  await killInRounds(
    target,
    {
      async start() {
        const config = await connectAs(target.url(), client);
        const exchanges = await exchangesOf(target.url(), config, usernames);
        exchanged = new Ledger(() => true);
        checkProgram = await useProgram({ url: target.url(), operator }, program);
        load = startClients(
          exchanges.map((exchange) => async () => ((await exchanged.send(exchange, ({ send }) => send(config))) ? 'last' : 'no answer')),
        );
        return load;
      },
      // All exchanges are sent at once. On a busy machine they may all be answered before the kill, so every other one comes earlier.
      moment: (random, nth) => (nth % 2 === 0 ? waitTurns(random) : load.after(1 + Math.floor(random() * PEOPLE), 'answered')),
      async check() {
        const url = target.url();
        const config = await connectAs(url, client);
        let repeated = 0;
        for (const outcome of exchanged.outcomes) repeated += await expectFewExchanges(url, config, outcome);
        for (const username of usernames) {
          const tokens = await (await obtainCode(url, config, username))(config);
          expect([username, await statusOf(url, await refresh(config, tokens.refresh))]).toEqual([username, 200]);
        }
        program = await checkProgram(url);
        counts.push({ answered: exchanged.acknowledged().length, lost: exchanged.unanswered().length, repeated });
      },
    },
    { rounds, seed },
  );
  process.stderr.write(`${JSON.stringify(counts)}\n`);
  expect(counts.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(rounds);
};
