import type { MongoClient } from 'mongodb';
import { cpuSecondsOf } from '../load.js';

/** What was spent since a point in time. */
export type Spent = {
  /** Seconds of processor time by process, by the name it goes by. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Commands that MongoDB carried out, by name. */
  readonly commands: Readonly<Record<string, number>>;
};

/** The processes, and the MongoDB, whose costs are counted. */
export type CostSources = {
  readonly pids: Readonly<Record<string, number>>;
  /** Null where there is no MongoDB. */
  readonly mongo: MongoClient | null;
};

type CommandCounts = Readonly<Record<string, { readonly total?: unknown }>>;

/** Commands of this measurement, and those that a driver and a replica set send for their own sake. */
const NOT_OF_A_REQUEST = new Set(['serverStatus', 'hello', 'isMaster', 'ismaster', 'ping', 'replSetHeartbeat', 'replSetUpdatePosition']);

const commandsOf = async (mongo: MongoClient | null): Promise<Readonly<Record<string, number>>> => {
  if (!mongo) return {};
  const { metrics } = (await mongo.db('admin').command({ serverStatus: 1 })) as unknown as { metrics: { commands: CommandCounts } };
  const counted = Object.entries(metrics.commands).filter(([name, { total }]) => total !== undefined && !NOT_OF_A_REQUEST.has(name));
  return Object.fromEntries(counted.map(([name, { total }]) => [name, Number(total)]));
};

const differences = (after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));

/** Starts counting; the function it returns answers what was spent since. */
export const countCosts = async ({ pids, mongo }: CostSources): Promise<() => Promise<Spent>> => {
  const cpuNow = (): Readonly<Record<string, number>> =>
    Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuSecondsOf(pid)]));
  const commandsBefore = await commandsOf(mongo);
  const cpuBefore = cpuNow();
  return async () => ({
    cpu: differences(cpuNow(), cpuBefore),
    commands: differences(await commandsOf(mongo), commandsBefore),
  });
};
