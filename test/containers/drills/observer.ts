import { createInterface } from 'node:readline';
import { openObservation, type Observation } from './observation.js';

/**
 * Runs in the networks of the APIs and workers. Reads a command as a line of JSON from standard input, and
 * writes its result as a line of JSON to standard output.
 */
const answer = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

type Line = { readonly id: number; readonly command: keyof Observation; readonly argument?: never };

const observation = await openObservation(process.env);
answer({ ready: true });
for await (const text of createInterface({ input: process.stdin })) {
  const { id, command, argument } = JSON.parse(text) as Line;
  observation[command](argument as never).then(
    (result) => answer({ id, result: result ?? null }),
    (error: unknown) => answer({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
}
process.exit(0);
