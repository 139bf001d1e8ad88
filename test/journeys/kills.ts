import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { caller, type Call } from '../servers/calling.js';
import { startServiceProcess, type ServiceProcess } from '../servers/process.js';
import type { Load } from './clients-load.js';

type Random = () => number;

/** A service whose processes are killed. */
export type KillTarget = {
  /** Kills a process with SIGKILL. Resolves when it has ended, with a function that starts it again. */
  kill(random: Random): Promise<() => Promise<void>>;
};

/** A service in one process, on one folder. */
export type KilledService = KillTarget & { readonly process: () => ServiceProcess };

/** Returns a client of whichever process of the service runs. Each process has connections of its own. */
export const callerOf = ({ process }: Pick<KilledService, 'process'>, token?: string): Call => {
  let called: { readonly url: string; readonly call: Call } | undefined;
  return (...request) => {
    const { url } = process();
    if (called?.url !== url) called = { url, call: caller(url, token) };
    return called.call(...request);
  };
};

/** Starts a service in a process of its own, to be killed. */
export const startKilledService = async (dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<KilledService> => {
  const start = (): Promise<ServiceProcess> => startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn', ...env } });
  let service = await start();
  return {
    process: () => service,
    async kill() {
      await service.kill9();
      return async () => void (service = await start());
    },
  };
};

/** The requests of a round. */
export type RoundLoad = Pick<Load, 'inFlight' | 'finished' | 'stop'>;

/** Returns the load of requests that go on through all rounds. */
export const ongoingLoad = (inFlight: () => number): RoundLoad => ({
  inFlight,
  finished: new Promise<never>(() => undefined),
  stop: () => Promise.resolve(),
});

/** Waits a random number of turns of the event loop, at most 60, so that kills interrupt different work. */
export const waitTurns = async (random: Random): Promise<void> => {
  for (let turns = Math.floor(random() * 60); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
};

/** What clients do in each round of kills, and what must hold afterwards. */
export type KillRound = {
  /** Starts the requests of a round. */
  start(random: Random, round: number): Promise<RoundLoad>;
  /** Resolves when the process is to be killed. It is also killed when all requests of the round are answered. */
  moment(random: Random, round: number): Promise<unknown>;
  /** Looks at what the kill has left, while the process is down. */
  whileDown?(): Promise<void> | void;
  /** Sends again what was not answered, and checks that nothing acknowledged is lost, and that nothing has happened twice. */
  check?(round: number): Promise<void>;
};

/**
 * Kills a service under load and starts it again, in each round. Returns the number of requests that were in flight at each kill. The
 * seed determines the choices of the clients and the moments, but not their timing.
 */
export const killInRounds = async (
  target: KillTarget,
  round: KillRound,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<readonly number[]> => {
  const random = createRandom(seed);
  const inFlight: number[] = [];
  for (let nth = 1; nth <= rounds; nth++) {
    const load = await round.start(random, nth);
    await Promise.race([round.moment(random, nth), load.finished]);
    inFlight.push(load.inFlight());
    const restart = await target.kill(random);
    await load.stop();
    await round.whileDown?.();
    await restart();
    await round.check?.(nth);
  }
  return inFlight;
};
