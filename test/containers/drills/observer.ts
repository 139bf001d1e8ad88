import { createInterface } from 'node:readline';
import { openObservation, type Observation } from './observation.js';

/**
 * The program of the observer, which runs in the networks of the APIs and workers. It reads commands from standard input, and
 * writes their results to standard output. Each command and each result is a line of JSON.
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
