import { expect } from '@jest/globals';
import * as oauth from 'openid-client';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import type { RegisteredClient } from '../http/oauth-people.js';
import { caller } from '../servers/calling.js';
import { addClient, connectAs, obtainCode, refresh, register, type ClientTokens, type SceneHost } from './accounts-scene.js';
import { addProgram, useProgram } from './program-kills.js';

/** A process of the service with the public URL SCENE_URL. `kill` sends SIGKILL, and resolves when the process has ended. */
export type KillableProcess = { readonly url: string; kill(): Promise<unknown> };

/**
 * Something that a client can exchange for tokens: a code once, and a refresh token up to five times within 10 s. `tokens` is null if no
 * response arrived.
 */
type Exchange = {
  readonly kind: 'code' | 'rotation';
  readonly send: (sender: oauth.Configuration) => Promise<ClientTokens>;
  tokens: ClientTokens | null;
};

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

/** What happened to the exchanges of a round. */
type KillRound = { readonly answered: number; readonly lost: number; readonly repeated: number; readonly program: RegisteredClient };

/** The people and the clients of all rounds. `operator` is a token with the scope ops. */
type Scene = {
  readonly usernames: readonly string[];
  readonly client: RegisteredClient;
  readonly program: RegisteredClient;
  readonly operator: string;
};

/**
 * Sends exchanges of codes and refresh tokens, kills the service after `answers` responses, and starts it again. Expects of
 * each exchange that no more than MOST_EXCHANGES succeed and that one more ends all tokens, and of each person that a new sign-in works.
 * Uses a program at the same time, as `useProgram` does.
 */
const killDuringExchanges = async (
  start: () => Promise<KillableProcess>,
  { usernames, client, program, operator, answers }: Scene & { readonly answers: number },
): Promise<KillRound> => {
  const killed = await start();
  const config = await connectAs(killed.url, client);
  const exchanges: Exchange[] = [];
  for (const username of usernames) {
    const [code, other] = [await obtainCode(killed.url, config, username), await obtainCode(killed.url, config, username)];
    const { refresh: token } = await other(config);
    exchanges.push({ kind: 'code', send: code, tokens: null });
    exchanges.push({ kind: 'rotation', send: (sender) => refresh(sender, token), tokens: null });
  }
  const checkProgram = await useProgram({ url: killed.url, operator }, program);
  const enough = Promise.withResolvers<void>();
  let count = 0;
  const sent = exchanges.map(async (exchange) => {
    exchange.tokens = await exchange.send(config).catch(() => null);
    if (exchange.tokens && ++count >= answers) enough.resolve();
  });
  await enough.promise;
  await killed.kill();
  await Promise.all(sent);

  const service = await start();
  const after = await connectAs(service.url, client);
  let repeated = 0;
  for (const exchange of exchanges) {
    if (exchange.tokens) expect([exchange.kind, await statusOf(service.url, exchange.tokens)]).toEqual([exchange.kind, 200]);
    const given = exchange.tokens ? [exchange.tokens] : [];
    for (let again = await exchangeAgain(exchange, after); again; again = await exchangeAgain(exchange, after)) {
      repeated++;
      given.push(again);
      expect([exchange.kind, await statusOf(service.url, again)]).toEqual([exchange.kind, 200]);
      expect(given.length).toBeLessThanOrEqual(MOST_EXCHANGES[exchange.kind]);
    }
    for (const tokens of given) expect([exchange.kind, await statusOf(service.url, tokens)]).toEqual([exchange.kind, 401]);
  }
  for (const username of usernames) {
    const tokens = await (await obtainCode(service.url, after, username))(after);
    expect([username, await statusOf(service.url, await refresh(after, tokens.refresh))]).toEqual([username, 200]);
  }
  const rotated = await checkProgram(service.url);
  await service.kill();
  const answered = exchanges.filter(({ tokens }) => tokens !== null).length;
  return { answered, lost: exchanges.length - answered, repeated, program: rotated };
};

const PEOPLE = 8;

/** Creates accounts, and registers a client and a program. */
export const preparePeople = async (host: SceneHost): Promise<Scene> => {
  const usernames = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);
  for (const username of usernames) await register(caller(host.url), username);
  return { usernames, client: await addClient(host, { name: 'Pet Finder' }), program: await addProgram(host), operator: host.operator };
};

/** Runs rounds of `killDuringExchanges`, each with another number of responses. Expects that kills have lost some responses. */
export const killInRounds = async (
  start: () => Promise<KillableProcess>,
  people: Scene,
  { rounds: count, seed }: { readonly rounds: number; readonly seed: number },
): Promise<void> => {
  const random = createRandom(seed);
  const rounds: KillRound[] = [];
  for (let round = 0; round < count; round++)
    rounds.push(
      await killDuringExchanges(start, {
        ...people,
        program: rounds.at(-1)?.program ?? people.program,
        answers: 1 + Math.floor(random() * PEOPLE),
      }),
    );
  process.stderr.write(`${JSON.stringify(rounds.map(({ answered, lost, repeated }) => ({ answered, lost, repeated })))}\n`);
  expect(rounds.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(count);
};
