import type { StepAccount } from './observation.js';
import type { Observer } from './observer-container.js';
import { PROCESSES, type Project } from './project.js';
import type { Table } from './table.js';

/** The parts that every step of the drills uses. */
export type Drill = { readonly project: Project; readonly observer: Observer; readonly table: Table; readonly token: string };

/** The result of a step: the account of its load, if it has one, and a text for the notes of the table. */
export type Seen = { readonly account?: StepAccount; readonly notes: string };

/** Formats milliseconds as seconds. */
export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Returns a line for each fault in the account of a step. */
export const faultsOf = ({ lost, doubled, disordered, others, serverErrors, unsettled }: StepAccount): readonly string[] => [
  ...[...lost, ...doubled, ...disordered, ...others, ...serverErrors].slice(0, 10),
  ...(unsettled > 0 ? [`${unsettled} requests were not settled by a retry with their key`] : []),
];

/** The failure of a step, with its result so far. */
export class StepFault extends Error {
  constructor(
    message: string,
    readonly seen: Seen,
  ) {
    super(message);
  }
}

/**
 * Runs `does` under a load that begins before it and ends after it. Returns its notes and the account of the load.
 * Throws a `StepFault` with the account if `does` fails.
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

/** Creates a token inside the container of the first API. A new container would use the fixed address of that API. */
export const createToken = async (project: Project, scope: string): Promise<string> => {
  const command = ['node', 'dist/apps/petstore/main.js', 'token', '--scope', scope, '--expires-in', '86400'];
  const output = await project.compose('exec', '-T', 'api-1', ...command);
  return output.split('\n').at(-1) ?? '';
};

/** Waits until every API and worker is ready. */
export const waitForProcesses = async ({ observer }: Pick<Drill, 'observer'>): Promise<void> => {
  for (const name of PROCESSES) await observer.waitForOk(`http://${name}:${name.startsWith('api') ? 3000 : 3001}/health/ready`);
};
