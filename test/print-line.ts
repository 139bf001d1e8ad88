/** Prints a line to the terminal directly, without the test runner's console. Tests print seeds and reports, commands their progress. */
export const printLine = (text: string): void => void process.stderr.write(`${text}\n`);
