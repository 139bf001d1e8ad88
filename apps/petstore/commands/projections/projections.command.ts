import type { ProjectionState, ProjectionStates } from '../../../api/ops/projections/projection.dto.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceClient, ServiceOptions } from '../../client/service-client.js';
import { CommandError } from '../../errors/command-error.js';
import { findServiceUrl } from '../../running/find-service-url.js';
import { pause } from '../../terminal/pause.js';
import { formatTable } from '../../terminal/table.js';
import { operatorName, runAsOperator } from '../ops/run-as-operator.js';

/** The options of all commands for read models. */
export type ProjectionsOptions = Pick<ServiceOptions, 'url' | 'token'> & { readonly json?: boolean };

/** The options of `petstore projections resume`. */
export type ResumeOptions = ProjectionsOptions & { readonly reason?: string };

/** The options of `petstore projections pause`. `yes` confirms what stops besides reads. */
export type PauseOptions = ResumeOptions & { readonly yes?: boolean };

/** The options of `petstore projections rebuild` with a name. */
export type RebuildOptions = ResumeOptions & { readonly all?: boolean; readonly hold?: boolean };

/** The options of `petstore projections switch`. */
export type SwitchOptions = ResumeOptions & { readonly back?: boolean };

type Client = Pick<ServiceClient, 'request'>;

/** Prints how far each read model is (contract 43.4). */
export const statusCommand = (settings: Settings, options: ProjectionsOptions): Promise<void> =>
  runAsOperator(settings, options, operatorName(), async (client) => {
    const states = await readStates(client);
    process.stdout.write(options.json ? `${JSON.stringify(states)}\n` : formatStates(states));
  });

/** Pauses a read model (contract 43.5). If more than reads stops, does it only with `yes`. */
export const pauseCommand = (settings: Settings, name: string, { yes = false, ...options }: PauseOptions): Promise<void> =>
  runAsOperator(settings, options, operatorName(), async (client) => {
    const { stoppedByPause: stopped } = await findState(client, name);
    if (stopped.length > 0 && !yes)
      throw new CommandError(`${name} is not paused. While it is paused, ${stopped.join('; ')}: pass --yes to pause it`);
    await act(client, name, 'pause', options);
    print(
      options,
      await findState(client, name),
      `The read model ${name} is paused. It shows no later changes until "projections resume ${name}".\n`,
    );
  });

/** Resumes a read model (contract 43.5). */
export const resumeCommand = (settings: Settings, name: string, options: ResumeOptions): Promise<void> =>
  runAsOperator(settings, options, operatorName(), async (client) => {
    await act(client, name, 'resume', options);
    print(options, await findState(client, name), `The read model ${name} catches up, and then follows the log.\n`);
  });

/** Rebuilds read models beside those that queries read, and waits until each fill has replaced one or waits for an operator (contract 43.6). */
export const rebuildCommand = (
  settings: Settings,
  name: string | undefined,
  { all = false, hold, ...options }: RebuildOptions,
): Promise<void> => {
  if (name !== undefined && all) throw new CommandError('pass either a name, or --all');
  return runAsOperator(settings, options, operatorName(), async (client) => {
    const states = name === undefined ? await readStates(client) : [await findState(client, name)];
    for (const { name: paused } of states.filter(({ pause }) => all && pause))
      process.stderr.write(`${paused} is paused, so it is not rebuilt.\n`);
    const names = states.filter(({ pause }) => !all || !pause).map((state) => state.name);
    for (const one of names) await act(client, one, 'rebuild', options, hold ? { hold } : {});
    const isRunning = options.url !== undefined || settings.servers !== undefined || (await findServiceUrl(settings)) !== null;
    if (!isRunning) process.stderr.write('No service runs on DATA_DIR. The rebuild begins when it starts.\n');
    const after = isRunning ? await waitUntilFilled(client, names) : await readStates(client);
    const rebuilt = after.filter((state) => names.includes(state.name));
    process.stdout.write(options.json ? `${JSON.stringify(rebuilt)}\n` : rebuilt.map(formatRebuilt).join(''));
    if (isRunning && rebuilt.some(({ fill, keptUntil }) => fill?.state === 'differs' || (!fill && keptUntil === undefined)))
      process.exitCode = 1;
  });
};

/** Milliseconds between two looks at the fills, and between two lines about them. */
const LOOK_EVERY = 500;
const LINE_EVERY = 5_000;

const waitUntilFilled = async (client: Client, names: readonly string[]): Promise<readonly ProjectionState[]> => {
  for (let waited = LOOK_EVERY; ; waited += LOOK_EVERY) {
    const states = await readStates(client);
    const filling = states.filter(({ name, fill, pause }) => names.includes(name) && fill?.state === 'filling' && !pause);
    if (filling.length === 0) return states;
    if (waited % LINE_EVERY === 0) process.stderr.write(`${filling.map(formatProgress).join(', ')}\n`);
    await pause(LOOK_EVERY);
  }
};

const formatProgress = ({ name, position, fill }: ProjectionState): string =>
  `${name} ${Math.floor((100 * (fill?.position ?? 0)) / Math.max(1, position))} %`;

const formatRebuilt = ({ name, fill, keptUntil, pause }: ProjectionState): string => {
  if (fill?.state === 'held') return `The fill of ${name} is equal, and waits for "projections switch ${name}".\n`;
  if (fill?.state === 'differs')
    return `The fill of ${name} differs: ${fill.difference ?? ''}. "projections switch ${name}" or "projections drop ${name}".\n`;
  if (fill) return pause ? `${name} was paused. Its fill is compared when it is resumed.\n` : `The fill of ${name} has begun.\n`;
  if (keptUntil === undefined) return `The fill of ${name} was dropped.\n`;
  return `The fill of ${name} was equal, and has replaced the read model. "projections switch ${name} --back" takes it back for a day.\n`;
};

/** Lets queries read the fill of a read model, or what it has replaced (contract 43.7). */
export const switchCommand = (settings: Settings, name: string, { back = false, ...options }: SwitchOptions): Promise<void> =>
  runAsOperator(settings, options, operatorName(), async (client) => {
    await act(client, name, 'switch', options, back ? { back } : {});
    print(
      options,
      await findState(client, name),
      `Queries read the other fill of ${name}. "projections switch ${name} --back" exchanges them again.\n`,
    );
  });

/** Removes the fill of a read model, or what it has replaced (contract 43.7). */
export const dropCommand = (settings: Settings, name: string, options: ResumeOptions): Promise<void> =>
  runAsOperator(settings, options, operatorName(), async (client) => {
    await act(client, name, 'drop', options);
    print(options, await findState(client, name), `Queries read ${name}, and nothing stands beside it.\n`);
  });

const print = ({ json }: ProjectionsOptions, state: ProjectionState, text: string): void =>
  void process.stdout.write(json ? `${JSON.stringify(state)}\n` : text);

type Action = 'pause' | 'resume' | 'rebuild' | 'switch' | 'drop';

const act = async ({ request }: Client, name: string, action: Action, { reason }: ResumeOptions, body: object = {}): Promise<void> => {
  await request('POST', `/v1/ops/projections/${encodeURIComponent(name)}/${action}`, { ...body, ...(reason !== undefined && { reason }) });
};

const readStates = async ({ request }: Client): Promise<readonly ProjectionState[]> =>
  (await request<ProjectionStates>('GET', '/v1/ops/projections')).json.data;

const findState = async (client: Client, name: string): Promise<ProjectionState> => {
  const states = await readStates(client);
  const state = states.find((one) => one.name === name);
  if (!state) throw new CommandError(`there is no read model ${name}; the names are ${states.map((one) => one.name).join(', ')}`);
  return state;
};

const formatStates = (states: readonly ProjectionState[]): string => {
  const rows = states.map((state) => [
    state.name,
    String(state.version),
    formatStatus(state),
    formatLag(state),
    state.secondsLeft === null ? '' : `${state.secondsLeft} s left`,
    state.eventsPerSecond === null ? '' : `${state.eventsPerSecond} events/s`,
    String(state.parked),
    state.owner ?? 'nobody',
  ]);
  const errors = states.flatMap(({ name, lastError }) => (lastError ? [formatError(name, lastError)] : []));
  return `${formatTable([['NAME', 'VERSION', 'STATUS', 'BEHIND', '', 'RATE', 'PARKED', 'OWNER'], ...rows])}${errors.join('')}`;
};

const formatError = (name: string, { error, at }: NonNullable<ProjectionState['lastError']>): string =>
  `${name}: ${error}${at === undefined ? '' : `, at ${at}`}\n`;

const formatStatus = (state: ProjectionState): string => {
  const { status, pause, fill, keptUntil } = state;
  const own = pause ? `paused since ${pause.since} by ${pause.by}` : status;
  if (fill) return `${own}; fill: ${fill.state === 'filling' ? formatProgress({ ...state, name: '' }).trim() : fill.state}`;
  return keptUntil === undefined ? own : `${own}; the former one is kept until ${keptUntil}`;
};

const formatLag = ({ behind, behindSeconds }: ProjectionState): string =>
  behind === null ? 'unknown' : behind === 0 ? '0' : `${behind} events, ${Math.round(behindSeconds ?? 0)} s`;
