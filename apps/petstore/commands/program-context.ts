import type { Command } from 'commander';
import type { Settings } from '../../../libs/settings/settings.js';

/** Functions of the main program that the files of commands use. */
export type ProgramContext = {
  /** Adds the options that select a running service and its credentials. */
  readonly addServiceOptions: (command: Command) => Command;
  /** Adds the options that select a running service, its credentials and the tenant. */
  readonly addStoreOptions: (command: Command) => Command;
  readonly readSettings: () => Settings;
  /** Parses a whole number of at least 0. */
  readonly parseWholeNumber: (text: string) => number;
  /** Resolves a path from the folder in which the user entered the command. npm starts the process in another folder. */
  readonly resolvePath: (path: string) => string;
};
