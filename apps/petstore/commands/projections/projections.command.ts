import type { ProjectionState, ProjectionStates } from '../../../api/ops/projections/projection.dto.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceClient, ServiceOptions } from '../../client/service-client.js';
import { CommandError } from '../../errors/command-error.js';
import { formatTable } from '../../terminal/table.js';
import { operatorName, runAsOperator } from '../ops/run-as-operator.js';

/** The options of all commands for read models. */
export type ProjectionsOptions = Pick<ServiceOptions, 'url' | 'token'> & { readonly json?: boolean };

/** The options of `petstore projections resume`. */
export type ResumeOptions = ProjectionsOptions & { readonly reason?: string };

/** The options of `petstore projections pause`. `yes` confirms what stops besides reads. */
export type PauseOptions = ResumeOptions & { readonly yes?: boolean };

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

const print = ({ json }: ProjectionsOptions, state: ProjectionState, text: string): void =>
  void process.stdout.write(json ? `${JSON.stringify(state)}\n` : text);

const act = async ({ request }: Client, name: string, action: 'pause' | 'resume', { reason }: ResumeOptions): Promise<void> => {
  await request('POST', `/v1/ops/projections/${encodeURIComponent(name)}/${action}`, reason === undefined ? {} : { reason });
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
    state.pause ? `paused since ${state.pause.since} by ${state.pause.by}` : state.status,
    formatLag(state),
    state.secondsLeft === null ? '' : `${state.secondsLeft} s left`,
    String(state.parked),
    state.owner ?? 'nobody',
  ]);
  return formatTable([['NAME', 'VERSION', 'STATUS', 'BEHIND', '', 'PARKED', 'OWNER'], ...rows]);
};

const formatLag = ({ behind, behindSeconds }: ProjectionState): string =>
  behind === null ? 'unknown' : behind === 0 ? '0' : `${behind} events, ${Math.round(behindSeconds ?? 0)} s`;
