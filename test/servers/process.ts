import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { ROOT, runProgram, startProgram, type ProgramResult, type Exit, type Program, type ProgramOptions } from './program.js';

export type ServiceEnvironment = {
  readonly dataDir: string;
  /** Further settings. By default the port is a free one and the rate limit is off. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Where the program writes its output, if the test does not collect it. */
type Outputs = Pick<ProgramOptions, 'stdout' | 'stderr'>;

/** A ready service in its own process. */
export type ServiceProcess = Program & {
  readonly url: string;
  /** Kills it with SIGKILL. Resolves when it has ended. */
  kill9(): Promise<Exit>;
  /** Stops it with SIGTERM. Resolves when it has ended. */
  stop(): Promise<Exit>;
};

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = join(ROOT, 'dist', 'apps', 'petstore', 'main.js');

const settingsOf = ({ dataDir, env }: ServiceEnvironment): Readonly<Record<string, string>> => ({
  DATA_DIR: dataDir,
  PORT: '0',
  RATE_LIMIT: 'off',
  ...env,
});

/** Returns the address on which the service listens. With PUBLIC_URL, the output also contains the public address. */
const addressIn = (output: string): string | undefined =>
  /listening on (http:\/\/\S+)\n/.exec(output)?.[1] ?? /open at (http:\/\/\S+)\n/.exec(output)?.[1];

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;

/** Waits until a started program has printed its address and is ready. */
export const waitUntilReady = async (program: Program): Promise<ServiceProcess> => {
  let exit: Exit | undefined;
  void program.ended.then((value) => (exit = value));
  const outcome = await eventually('a ready service', async () => {
    const address = addressIn(program.stdout());
    if (exit) return { failure: `the service ended with ${exit.code ?? exit.signal}: ${program.stderr()}` };
    return address !== undefined && (await isReady(address)) ? { address } : null;
  });
  if ('failure' in outcome) throw new Error(outcome.failure);
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    program.signal(signal);
    return program.ended;
  };
  return { ...program, url: outcome.address, kill9: () => end('SIGKILL'), stop: () => end('SIGTERM') };
};

/** Starts `petstore start` from dist and waits until it is ready. */
export const startServiceProcess = async (environment: ServiceEnvironment, outputs: Outputs = {}): Promise<ServiceProcess> =>
  waitUntilReady(startProgram(NODE, [MAIN, 'start'], { env: settingsOf(environment), ...outputs }));

/** Starts `petstore start` with at most this many open files. */
export const startWithOpenFiles = async (openFiles: number, environment: ServiceEnvironment): Promise<ServiceProcess> => {
  const limited = `ulimit -n ${openFiles}; exec "$0" "$@"`;
  return waitUntilReady(startProgram('sh', ['-c', limited, NODE, MAIN, 'start'], { env: settingsOf(environment) }));
};

/** Starts a `petstore` command without waiting for its end. */
export const startPetstore = (args: readonly string[], environment: ServiceEnvironment, outputs: Outputs = {}): Program =>
  startProgram(NODE, [MAIN, ...args], { env: settingsOf(environment), ...outputs });

/** Runs a `petstore` command and waits for its end. */
export const runPetstore = (args: readonly string[], environment: ServiceEnvironment): Promise<ProgramResult> =>
  runProgram(NODE, [MAIN, ...args], { env: settingsOf(environment) });

/** All scopes of staff, and `ops`. Requests with the scope `ops` have no rate limit. */
export const STAFF_SCOPES = 'read:pets write:pets write:orders write:webhooks ops';

/** Creates a token with the key of the store in a folder. */
export const tokenFor = async (dataDir: string, scope = STAFF_SCOPES): Promise<string> => {
  const { code, stdout, stderr } = await runPetstore(['token', '--scope', scope], { dataDir });
  if (code !== 0) throw new Error(`no token: ${stderr}`);
  return stdout.trim();
};
