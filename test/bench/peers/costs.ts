import type { MongoClient } from 'mongodb';
import { cpuSecondsOf } from '../load.js';

/** The costs since a point in time. */
export type Costs = {
  /** Seconds of processor time by name of the process. */
  readonly cpu: Readonly<Record<string, number>>;
  /** The number of MongoDB commands by name. */
  readonly commands: Readonly<Record<string, number>>;
};

/** What to measure: processes by name, and MongoDB. */
export type CostSources = {
  readonly pids: Readonly<Record<string, number>>;
  /** Null if the service does not use MongoDB. */
  readonly mongo: MongoClient | null;
};

type CommandCounts = Readonly<Record<string, { readonly total?: unknown }>>;

/** Commands that are not counted: those of this measurement, and background commands of the driver and the replica set. */
const BACKGROUND_COMMANDS = new Set(['serverStatus', 'hello', 'isMaster', 'ismaster', 'ping', 'replSetHeartbeat', 'replSetUpdatePosition']);

const commandsOf = async (mongo: MongoClient | null): Promise<Readonly<Record<string, number>>> => {
  if (!mongo) return {};
  const { metrics } = (await mongo.db('admin').command({ serverStatus: 1 })) as unknown as { metrics: { commands: CommandCounts } };
  const counted = Object.entries(metrics.commands).filter(([name, { total }]) => total !== undefined && !BACKGROUND_COMMANDS.has(name));
  return Object.fromEntries(counted.map(([name, { total }]) => [name, Number(total)]));
};

const differences = (after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));

/** Starts counting. Returns a function that returns the costs since then. */
export const countCosts = async ({ pids, mongo }: CostSources): Promise<() => Promise<Costs>> => {
  const cpuNow = (): Readonly<Record<string, number>> =>
    Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuSecondsOf(pid)]));
  const commandsBefore = await commandsOf(mongo);
  const cpuBefore = cpuNow();
  return async () => ({
    cpu: differences(cpuNow(), cpuBefore),
    commands: differences(await commandsOf(mongo), commandsBefore),
  });
};
