import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A path inside the repository. */
export const inRoot = (...parts) => join(ROOT, ...parts);

/** The Node that the npm package `node` brings: everything but these scripts runs on it, whatever the machine has. */
export const NODE = inRoot('node_modules', '.bin', 'node');

export const readJson = (...parts) => JSON.parse(readFileSync(inRoot(...parts), 'utf8'));

/** Progress goes to stderr: stdout belongs to the command that was asked for. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** Something the person at the keyboard can mend; shown without a stack. */
export class Refusal extends Error {}

/** A part of the work was stopped by a signal; so is the whole. */
export class Stopped extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}
