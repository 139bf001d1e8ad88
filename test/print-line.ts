/**
 * Prints a line to standard error, without the test runner's console. Tests use it for seeds and reports, and commands for
 * their progress.
 */
export const printLine = (text: string): void => void process.stderr.write(`${text}\n`);
