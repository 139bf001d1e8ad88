import { parseArgs } from 'node:util';
import { printLine } from './workspace.mjs';

/**
 * Wraps the function of a command with options. `--help` prints the text, and invalid options print why, also those
 * for which `check` throws.
 */
export const withOptions =
  ({ help, options, check = () => undefined }, does) =>
  async (args) => {
    let values;
    try {
      ({ values } = parseArgs({ args, options: { ...options, help: { type: 'boolean', default: false } } }));
      check(values);
    } catch (error) {
      printLine(`${error.message}\n\n${help}`);
      return 2;
    }
    if (!values.help) return does(values);
    // A reader such as `head` may close the pipe early.
    process.stdout.on('error', () => undefined).write(help);
    return 0;
  };
