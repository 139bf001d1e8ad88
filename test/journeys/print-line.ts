/** Tells a person at the terminal, whatever the test runner makes of the console: seeds, and what was met. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);
