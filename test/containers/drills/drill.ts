import type { StepAccount } from './observation.js';
import type { Observer } from './observer-container.js';
import { PROCESSES, type Project } from './project.js';
import type { Table } from './table.js';

/** What the steps use. */
export type Drill = { readonly project: Project; readonly observer: Observer; readonly table: Table; readonly token: string };

/** What a step saw: an account of its load, unless it has none, and what else there is to say. */
export type Seen = { readonly account?: StepAccount; readonly notes: string };

/** Milliseconds in the text of a note. */
export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Describes what a step must not leave behind; `[]` when there is nothing. */
export const faultsOf = ({ lost, doubled, disordered, others, serverErrors, unsettled }: StepAccount): readonly string[] => [
  ...[...lost, ...doubled, ...disordered, ...others, ...serverErrors].slice(0, 10),
  ...(unsettled > 0 ? [`${unsettled} requests were not settled by a retry with their key`] : []),
];

/** A step that failed, with what it saw. */
export class StepFault extends Error {
  constructor(
    message: string,
    readonly seen: Seen,
  ) {
    super(message);
  }
}

/** Runs something under load, and accounts for it, also when it fails. The load runs before and after it. */
export const underLoad = async ({ observer }: Pick<Drill, 'observer'>, does: () => Promise<string>): Promise<Seen> => {
  await observer.begin();
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

/** Creates a token in the container of an API. A container of its own would need that one's address. */
export const createToken = async (project: Project, scope: string): Promise<string> => {
  const command = ['node', 'dist/apps/petstore/main.js', 'token', '--scope', scope, '--expires-in', '86400'];
  const output = await project.compose('exec', '-T', 'api-1', ...command);
  return output.split('\n').at(-1) ?? '';
};

/** Waits until every process of the store is ready. */
export const waitForProcesses = async ({ observer }: Pick<Drill, 'observer'>): Promise<void> => {
  for (const name of PROCESSES) await observer.waitForOk(`http://${name}:${name.startsWith('api') ? 3000 : 3001}/health/ready`);
};
