import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns a path inside the repository. */
export const inRoot = (...parts) => join(ROOT, ...parts);

/** The pinned Node, which the npm package `node` contains. These scripts may run on another Node. */
export const NODE = inRoot('node_modules', '.bin', 'node');

export const readJson = (...parts) => JSON.parse(readFileSync(inRoot(...parts), 'utf8'));

/** Prints a line to standard error, because standard output is for the result of the command. */
export const printLine = (text) => process.stderr.write(`${text}\n`);

/** Writes a generated document, and prints its path if its text changes. */
export const writeDocument = (path, text) => {
  const file = inRoot(path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
  printLine(`written  ${path}`);
};

/** An error that the user can fix. Its message is printed without a stack trace. */
export class UserError extends Error {}

/** Thrown when a signal stops one program of a sequence, so that the rest does not run. */
export class Stopped extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}
