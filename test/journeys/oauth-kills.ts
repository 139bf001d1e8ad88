import { expect } from '@jest/globals';
import * as oauth from 'openid-client';
import { Browser } from '../http/oauth-browser.js';
import { authorizationRequest, type RegisteredClient } from '../http/oauth-people.js';
import { caller } from '../servers/calling.js';
import { addClient, connectAs, fetchFrom, FIRST_PASSWORD, register, SCENE_URL, type SceneHost } from './accounts-scene.js';

/** A process of the service with the public URL SCENE_URL. `kill` sends SIGKILL, and resolves when the process has ended. */
export type KillableProcess = { readonly url: string; kill(): Promise<unknown> };

type Tokens = { readonly access: string; readonly refresh: string };

/** Something that a client can exchange for tokens once. `tokens` is null if no response arrived. */
type Exchange = {
  readonly kind: 'code' | 'rotation';
  readonly send: (config: oauth.Configuration) => Promise<Tokens>;
  tokens: Tokens | null;
};

const tokensOf = ({ access_token: access, refresh_token: refresh = '' }: oauth.TokenEndpointResponse): Tokens => ({ access, refresh });

/** Signs a person in and gives the client access. Returns the exchange of the code. */
const newCode = async (url: string, config: oauth.Configuration, username: string): Promise<Exchange> => {
  const { url: address, verifier, state } = await authorizationRequest(config);
  const browser = new Browser(SCENE_URL, fetchFrom(url));
  const consent = await browser.submit(await browser.open(address.href), { username, password: FIRST_PASSWORD, action: 'sign-in' });
  const answer = new URL((await browser.submit(consent, { action: 'allow' })).url);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
  return { kind: 'code', send: async (sender) => tokensOf(await oauth.authorizationCodeGrant(sender, answer, checks)), tokens: null };
};

const rotationOf = ({ refresh }: Tokens): Exchange => ({
  kind: 'rotation',
  send: async (sender) => tokensOf(await oauth.refreshTokenGrant(sender, refresh)),
  tokens: null,
});

const isInvalidGrant = (error: unknown): boolean => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant';

/** Returns the tokens of an exchange, or null if it is rejected because it happened before. */
const exchangeAgain = async ({ send }: Exchange, config: oauth.Configuration): Promise<Tokens | null> => {
  try {
    return await send(config);
  } catch (error) {
    if (isInvalidGrant(error)) return null;
    throw error;
  }
};

const statusOf = async (url: string, { access }: Tokens): Promise<number> => (await caller(url, access)('GET', '/v1/users/me')).status;

/** What happened to the exchanges of a round. */
export type KillRound = { readonly answered: number; readonly lost: number; readonly repeated: number };

/**
 * Sends exchanges of codes and refresh tokens, kills the service after `answers` responses, and starts it again. Expects of
 * each exchange that no second one succeeds after it, and of each person that a new sign-in works.
 */
export const killDuringExchanges = async (
  start: () => Promise<KillableProcess>,
  { usernames, client, answers }: { readonly usernames: readonly string[]; readonly client: RegisteredClient; readonly answers: number },
): Promise<KillRound> => {
  const killed = await start();
  const config = await connectAs(killed.url, client);
  const exchanges: Exchange[] = [];
  for (const username of usernames) {
    exchanges.push(await newCode(killed.url, config, username));
    exchanges.push(rotationOf(await (await newCode(killed.url, config, username)).send(config)));
  }
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
    const second = await exchangeAgain(exchange, after);
    if (exchange.tokens) expect([exchange.kind, second, await statusOf(service.url, exchange.tokens)]).toEqual([exchange.kind, null, 401]);
    if (!second) continue;
    repeated++;
    expect([exchange.kind, await statusOf(service.url, second)]).toEqual([exchange.kind, 200]);
    expect([exchange.kind, await exchangeAgain(exchange, after), await statusOf(service.url, second)]).toEqual([exchange.kind, null, 401]);
  }
  for (const username of usernames) {
    const tokens = await (await newCode(service.url, after, username)).send(after);
    const rotated = await rotationOf(tokens).send(after);
    expect([username, await statusOf(service.url, rotated)]).toEqual([username, 200]);
  }
  await service.kill();
  const answered = exchanges.filter(({ tokens }) => tokens !== null).length;
  return { answered, lost: exchanges.length - answered, repeated };
};

/** Creates accounts and registers a client. */
export const preparePeople = async (host: SceneHost, count: number) => {
  const usernames = Array.from({ length: count }, (_, index) => `person-${index}`);
  for (const username of usernames) await register(caller(host.url), username);
  return { usernames, client: await addClient(host, { name: 'Pet Finder' }) };
};
