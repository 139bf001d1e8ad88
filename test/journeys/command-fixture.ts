import { DEADLINES } from '../deadlines.js';
import type { RegisteredWebhook, Webhook } from '../../apps/api/webhooks/webhook.dto.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder } from '../servers/data-folder.js';
import { eventually } from '../eventually.js';
import { startPetstore, runPetstore, startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import type { ProgramResult, Exit, Program } from '../servers/program.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';

/** The exit code of a rejected command (contract 27.6). */
export const REJECTED = 2;

/** A running service, a webhook receiver, and functions that run commands on them. */
export type CommandFixture = {
  readonly dataDir: string;
  readonly service: ServiceProcess;
  readonly receiver: Receiver;
  /** The receiver's address for webhooks. */
  readonly hook: string;
  /** Sends a request as staff. */
  readonly call: Call;
  /** Creates a pet, which causes the webhook event `pet.statusChanged`. */
  listPet(headers?: Readonly<Record<string, string>>): Promise<void>;
  endpoints(): Promise<readonly Webhook[]>;
  register(terms?: object): Promise<RegisteredWebhook>;
  run(...args: readonly string[]): Promise<ProgramResult>;
  startCommand(...args: readonly string[]): Program;
};

/** Starts a service and a receiver. After the tests, call `endPrograms` and `removeFolders`. */
export const openCommandFixture = async (env: Readonly<Record<string, string>> = {}): Promise<CommandFixture> => {
  const dataDir = newFolder();
  const [service, receiver] = await Promise.all([startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn', ...env } }), openReceiver()]);
  const call = caller(service.url, await tokenFor(dataDir));
  const hook = `${receiver.url}/hook`;
  return {
    dataDir,
    service,
    receiver,
    hook,
    call,
    async listPet(headers = {}) {
      await call('POST', '/v1/pets', { headers, body: { name: 'Rex', species: 'CAT', ageMonths: 4, price: '10.00', currency: 'USD' } });
    },
    endpoints: async () => (await call('GET', '/v1/webhooks')).json['data'] as readonly Webhook[],
    async register(terms = {}) {
      const { json } = await call('POST', '/v1/webhooks', { body: { url: hook, events: ['pet.statusChanged'], ...terms } });
      return json as unknown as RegisteredWebhook;
    },
    run: (...args) => runPetstore(args, { dataDir, env }),
    startCommand: (...args) => startPetstore(args, { dataDir, env }),
  };
};

/** Waits until a program's output matches. Throws with its output if that takes too long. */
export const waitForOutput = async (program: Program, what: RegExp): Promise<RegExpExecArray> => {
  const output = (): string => program.stdout() + program.stderr();
  try {
    return await eventually(`${what}`, () => what.exec(output()), DEADLINES.slow);
  } catch (cause) {
    throw new Error(`the output has no ${what}: ${output()}`, { cause });
  }
};

/** Waits for the secret, which `listen` and `replay` print once. */
export const waitForSecret = async (program: Program): Promise<string> => (await waitForOutput(program, /whsec_[A-Za-z0-9+/]+=*/))[0];

/** Sends the signal of Ctrl-C to a command, and waits for its end. */
export const interrupt = (program: Program): Promise<Exit> => {
  program.signal('SIGINT');
  return program.ended;
};
