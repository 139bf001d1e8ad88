import { setTimeout as sleep } from 'node:timers/promises';
import { caller, type Call } from '../servers/calling.js';
import { loadFor, median, type Round } from './load.js';
import { withReaderPriority } from './reader-priority.js';
import { startServer, type Server } from './server.js';

/** The rounds with and without sign-ins. The p99 of single rounds differ by a factor of two. */
const P99_ROUNDS = 15;
/** The rounds with and without a token. */
const ROUNDS = 5;
const SECONDS = 6;
const PETS = 100;
const ACCOUNTS = 20;
const PASSWORD = 'correct horse battery';
const SIGN_INS_A_SECOND = 10;
const READS_A_SECOND = 400;
/** Milliseconds between two groups of reads. */
const TICK = 10;

/** The same number measured with a load (sign-ins, uploads) or a token, and without it. Each is the median of the rounds. */
export type WithAndWithout = { readonly with: number; readonly without: number };

/**
 * The same number for three kinds of request. `with`: with a token. `without`: with another header of the same length, which is
 * not verified. `withoutHeader`: with neither header.
 */
export type WithToken = WithAndWithout & { readonly withoutHeader: number };

/** What sign-ins and tokens cost other requests. */
export type SignInCosts = {
  /** The p99 of GET /v1/pets/{id}, in milliseconds, with and without sign-ins. */
  readonly p99: WithAndWithout;
  /** GET /v1/pets/{id} per second. */
  readonly requestsPerSecond: WithToken;
  /** GET /v1/pets/{id} per second of the service's processor time. */
  readonly requestsPerCpuSecond: WithToken;
};

/** Measures reads of the pets in `dataDir`. Rounds with sign-ins or a token alternate with rounds without them. */
export const signInBench = async (dataDir: string, makeToken: () => Promise<string>): Promise<SignInCosts> => {
  const settings = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  const service = await startServer('dist/apps/petstore/main.js', ['start'], settings);
  try {
    const call = caller(service.url);
    const paths = await pathsOf(call);
    const usernames = await register(call);
    const p99 = await withReaderPriority(() => compareP99(call, paths, usernames));
    return { p99, ...(await compareTokens(service, paths, await makeToken())) };
  } finally {
    await service.stop();
  }
};

/** Returns the paths of some pets. */
export const pathsOf = async (call: Call): Promise<readonly string[]> => {
  const { data } = (await call('GET', `/v1/pets?limit=${PETS}`)).json as { data: { id: string }[] };
  return data.map(({ id }) => `/v1/pets/${id}`);
};

/** Creates several accounts, because all sign-ins on one account would exceed the limit per account. */
const register = async (call: Call): Promise<readonly string[]> => {
  const usernames = Array.from({ length: ACCOUNTS }, (_, index) => `bench-${index}`);
  for (const username of usernames) {
    const { status, text } = await call('POST', '/v1/users', {
      body: { username, email: `${username}@example.com`, password: PASSWORD },
    });
    if (status !== 201) throw new Error(text);
  }
  return usernames;
};

const compareP99 = async (call: Call, paths: readonly string[], usernames: readonly string[]): Promise<WithAndWithout> => {
  const rounds: { with: number[]; without: number[] } = { with: [], without: [] };
  await readFor(call, paths, 1);
  for (let round = 0; round < P99_ROUNDS; round++) {
    rounds.without.push(await readFor(call, paths, SECONDS));
    const signIns = startSignIns(call, usernames, round * SECONDS * SIGN_INS_A_SECOND);
    rounds.with.push(await readFor(call, paths, SECONDS));
    await signIns.stop();
    const [p99, without] = [rounds.with, rounds.without].map((times) => times.at(-1)?.toFixed(1));
    process.stderr.write(`sign-ins: round ${round + 1} of ${P99_ROUNDS}: p99 ${p99} ms, and ${without} ms without\n`);
  }
  return { with: median(rounds.with), without: median(rounds.without) };
};

/** Sends reads at a constant rate, without waiting for earlier responses. Returns their p99 in milliseconds. */
export const readFor = async (call: Call, paths: readonly string[], seconds: number): Promise<number> => {
  const reads: Promise<number>[] = [];
  const read = async (path: string): Promise<number> => {
    const begun = performance.now();
    const { status } = await call('GET', path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return performance.now() - begun;
  };
  const begun = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - begun) {
    const due = Math.floor((elapsed * READS_A_SECOND) / 1_000);
    while (reads.length < due) reads.push(read(paths[reads.length % paths.length] ?? ''));
    await sleep(TICK);
  }
  const times = (await Promise.all(reads)).toSorted((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? NaN;
};

/** Starts sign-ins at a constant rate. `stop` rejects if one of them failed. */
const startSignIns = (call: Call, usernames: readonly string[], first: number): { stop(): Promise<void> } => {
  const signIns: Promise<void>[] = [];
  const signIn = async (): Promise<void> => {
    const username = usernames[(first + signIns.length) % usernames.length];
    const { status, text } = await call('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } });
    if (status !== 201) throw new Error(text);
  };
  const timer = setInterval(() => signIns.push(signIn()), 1_000 / SIGN_INS_A_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(signIns);
    },
  };
};

const compareTokens = async (
  { url, pid }: Server,
  paths: readonly string[],
  token: string,
): Promise<Pick<SignInCosts, 'requestsPerSecond' | 'requestsPerCpuSecond'>> => {
  const rounds: { with: Round[]; without: Round[]; withoutHeader: Round[] } = { with: [], without: [], withoutHeader: [] };
  const plain = { method: 'GET', paths } as const;
  const value = `Bearer ${token}`;
  await loadFor(url, pid, plain, 1);
  for (let round = 0; round < ROUNDS; round++) {
    rounds.withoutHeader.push(await loadFor(url, pid, plain, SECONDS));
    rounds.without.push(await loadFor(url, pid, { ...plain, headers: { 'x-no-token-at': value } }, SECONDS));
    rounds.with.push(await loadFor(url, pid, { ...plain, headers: { authorization: value } }, SECONDS));
    process.stderr.write(`tokens: round ${round + 1} of ${ROUNDS}\n`);
  }
  const medians = (of: (round: Round) => number): WithToken => ({
    with: median(rounds.with.map(of)),
    without: median(rounds.without.map(of)),
    withoutHeader: median(rounds.withoutHeader.map(of)),
  });
  return {
    requestsPerSecond: medians(({ requestsPerSecond }) => requestsPerSecond),
    requestsPerCpuSecond: medians(({ requestsPerCpuSecond }) => requestsPerCpuSecond),
  };
};
