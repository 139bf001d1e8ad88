import { appendFileSync, readFileSync } from 'node:fs';

/** The file that collects what the suites of one run have seen. `npm test` sets it for all its phases. */
const FILE = process.env['PETSTORE_SEEN_STATUSES'];

const recorded = new Set<string>();

/** The text of a status that an operation may answer, such as `get /v1/pets/{id} 404`. */
export const statusLine = (verb: string, path: string, status: number | string): string => `${verb} ${path} ${status}`;

/** Records that an operation has answered with a status. Outside `npm test`, does nothing. */
export const recordStatus = (line: string): void => {
  if (FILE === undefined || recorded.has(line)) return;
  recorded.add(line);
  // Each suite may run in a process of its own. A short line is appended as a whole.
  appendFileSync(FILE, `${line}\n`);
};

/** Returns every status that the suites of this run have seen. */
export const seenStatuses = (): ReadonlySet<string> => {
  if (FILE === undefined) throw new Error('PETSTORE_SEEN_STATUSES is not set. This suite runs at the end of npm test.');
  return new Set(readFileSync(FILE, 'utf8').split('\n'));
};
