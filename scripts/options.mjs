import { parseArgs } from 'node:util';
import { printLine } from './workspace.mjs';

/**
 * Wraps the function of a command that has options. Prints `help` for `--help`. For invalid options, prints the reason
 * and returns 2. `check` throws if the value of an option is invalid.
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
