/** Prints a line to the terminal, past the test runner's console: seeds and reports. */
export const printLine = (text: string): void => void process.stderr.write(`${text}\n`);
