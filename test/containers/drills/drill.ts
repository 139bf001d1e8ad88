import type { StepAccount } from './observation.js';
import type { Observer } from './observer-container.js';
import { PROCESSES, type Project } from './project.js';
import type { Table } from './table.js';

/** The parts that every step of the drills uses. */
export type Drill = { readonly project: Project; readonly observer: Observer; readonly table: Table; readonly token: string };

/** The result of a step: the account of its load, if the step has a load, and a text for the notes of the table. */
export type Seen = { readonly account?: StepAccount; readonly notes: string };

/** Formats milliseconds as seconds. */
export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Returns a line for each fault in the account of a step. */
export const faultsOf = ({ lost, doubled, disordered, others, serverErrors, unsettled }: StepAccount): readonly string[] => [
  ...[...lost, ...doubled, ...disordered, ...others, ...serverErrors].slice(0, 10),
  ...(unsettled > 0 ? [`${unsettled} requests were not settled by a retry with their key`] : []),
];

/** The failure of a step, with the part of its result that is known. */
export class StepFault extends Error {
  constructor(
    message: string,
    readonly seen: Seen,
  ) {
    super(message);
  }
}

/**
 * Starts a load, runs `does`, and stops the load. Returns the notes from `does` and the account of the load. If `does` fails,
 * throws a `StepFault` with the account.
 */
export const underLoad = async (
  { observer }: Pick<Drill, 'observer'>,
  does: () => Promise<string>,
  load = { slowCards: true },
): Promise<Seen> => {
  await observer.begin(load);
  let notes = '';
  let fault: Error | undefined;
  try {
    await observer.waitForAcknowledged(60);
    notes = await does();
    await observer.waitForAcknowledged(60);
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error));
  }
  const account = await observer.finish();
  if (fault === undefined) return { notes, account };
  throw new StepFault(fault.message, { notes, account });
};

/**
 * Creates a token in the running container of the first API. A new container of this service could not start, because its fixed
 * address is in use.
 */
export const createToken = async (project: Project, scope: string): Promise<string> => {
  const command = ['node', 'dist/apps/petstore/main.js', 'token', '--scope', scope, '--expires-in', '86400'];
  const output = await project.compose('exec', '-T', 'api-1', ...command);
  return output.split('\n').at(-1) ?? '';
};

/** Waits until every API and worker is ready. */
export const waitForProcesses = async ({ observer }: Pick<Drill, 'observer'>): Promise<void> => {
  for (const name of PROCESSES) await observer.waitForOk(`http://${name}:${name.startsWith('api') ? 3000 : 3001}/health/ready`);
};
