import { CommandError } from '../errors/command-error.js';

/** Matches a host name or an IP address, with or without a port and a path. */
const WITHOUT_SCHEME = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?(?:[/?#]|$)/i;

const isHttpAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** Reads an http or https address. The error names the option, the value and an address to use instead. */
export const parseAddress = (option: string, text: string, example: string): string => {
  if (isHttpAddress(text)) return text;
  if (WITHOUT_SCHEME.test(text) && URL.canParse(`http://${text}`))
    throw new CommandError(`${option} ${text} has no scheme; try http://${text}`);
  throw new CommandError(`${option} ${JSON.stringify(text)} is not an http or https address; example: ${example}`);
};
