import { MongoClient } from 'mongodb';
import { eventually } from '../../eventually.js';
import { openClusterStorage, type ClusterStorage } from '../../journeys/distributed/cluster-storage.js';
import { startClusterLoad, type ClusterLoad } from '../../journeys/distributed/load.js';
import { RequestRecorder } from '../../journeys/request-recorder.js';
import { createSharedState } from '../../journeys/shoppers.js';
import { caller, type Call } from '../../servers/calling.js';
import { accountFor, type Account } from './accounting.js';
import { BackupTimes, type MissingAfterRestore } from './missing.js';
import { observeCalls, type CallCounts } from './observed-calls.js';
import { subscribeToTopics, type TopicSubscription } from './topic-subscription.js';
import { openWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

/** The request counts of the load of a step, and the account of this load. */
export type StepAccount = CallCounts & Account;

/** The commands that the drills send to the observer. Times are those of the observer's clock. */
export type Observation = {
  /** Connects to the servers and APIs. Call `connect` again after a restore has replaced the servers. */
  connect(input: { readonly token: string }): Promise<void>;
  /** Starts the load and resets the counts. Some shoppers pay with a slow card, unless `slowCards` is false. */
  begin(input?: { readonly slowCards: boolean }): Promise<void>;
  /** Stops the load, checks all its effects, and returns the account. */
  finish(): Promise<StepAccount>;
  /** Stops the load without checking its effects. */
  stop(): Promise<void>;
  now(): Promise<number>;
  counts(): Promise<CallCounts>;
  /** Waits until `count` more changes are acknowledged. Returns the milliseconds of the wait. */
  waitForAcknowledged(count: number): Promise<number>;
  /** Waits until every API has answered a read and a change sent after `since`. Returns the milliseconds since `since`. */
  waitForRecovery(since: number): Promise<number>;
  lastFailureAfter(since: number): Promise<number>;
  /** Makes the primary of MongoDB step down. Returns the names of the old and the new primary. */
  stepDown(): Promise<readonly [string, string]>;
  underReplicated(): Promise<number>;
  /** Returns the status of a GET of the URL, or 0 if there is no response. */
  status(url: string): Promise<number>;
  /** Waits until a GET of the URL returns 200. Returns the milliseconds of the wait. */
  waitForOk(url: string): Promise<number>;
  versions(): Promise<Readonly<Record<string, string>>>;
  /** Records which changes have been acknowledged so far. Call it when a backup begins and when it ends. */
  markBackup(): Promise<void>;
  /** Counts the acknowledged changes that are missing from a restored store. */
  missing(): Promise<MissingAfterRestore>;
  /** Returns the number of webhooks that were received so far, including repeats. */
  webhooks(): Promise<number>;
  /** Forgets all recorded requests. Call it after a restore, so that later accounts do not check the earlier requests. */
  forget(): Promise<void>;
  close(): Promise<void>;
};

const SHOPPERS = 4;
const PAUSE = 80;
const READ_EVERY = 150;
const RECOVERED_WITHIN = 60_000;
const SEED = 31;

const required = (environment: NodeJS.ProcessEnv, name: string): string => {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`${name} is missing`);
  return value;
};

/** Sends reads to every API at an interval. Returns a function that stops them. */
const startReading = (calls: readonly Call[]): (() => void) => {
  const read = (): void => calls.forEach((call) => void call('GET', '/v1/pets?limit=5').catch(() => undefined));
  const timer = setInterval(read, READ_EVERY);
  return () => clearInterval(timer);
};

/** Opens the webhook receiver, and returns the observation. It is not connected to servers and APIs until `connect` is called. */
export const openObservation = async (environment: NodeJS.ProcessEnv): Promise<Observation> => {
  const urls = required(environment, 'DRILLS_APIS').split(',');
  const key = environment['KEY_ENCRYPTION_KEY'];
  const webhooks: WebhookReceiver = await openWebhookReceiver(
    Number(environment['DRILLS_PROXY_PORT'] ?? 3128),
    environment['DRILLS_PROXY_HOST'] ?? '0.0.0.0',
  );
  const observed = observeCalls();
  let recorder = new RequestRecorder();
  let backup = new BackupTimes(recorder);
  const shared = createSharedState(true);
  let calls: readonly Call[] = [];
  let [storage, topics]: [ClusterStorage | null, TopicSubscription | null] = [null, null];
  let load: ClusterLoad | null = null;
  let stopReading = (): void => undefined;
  let [from, loads] = [0, 0];
  let knownLedgerDifferences: readonly string[] = [];
  const connected = (): { storage: ClusterStorage; topics: TopicSubscription } => {
    if (!storage || !topics) throw new Error('call connect first');
    return { storage, topics };
  };
  const stop = async (): Promise<void> => {
    await load?.stop();
    stopReading();
  };

  return {
    async connect({ token }) {
      await Promise.allSettled([storage?.close(), topics?.close()]);
      storage = await openClusterStorage({
        eventStoreUrl: required(environment, 'EVENTSTOREDB_URL'),
        mongoUrl: required(environment, 'MONGODB_URL'),
        ...(key !== undefined && { keyEncryptionKey: Buffer.from(key, 'base64') }),
      });
      topics = await subscribeToTopics(required(environment, 'KAFKA_BROKERS'));
      calls = urls.map((url) => observed.observe(url, caller(url, token)));
      if (calls[0]) await webhooks.register(calls[0]);
    },
    async begin({ slowCards } = { slowCards: true }) {
      from = recorder.outcomes.length;
      observed.reset();
      load = startClusterLoad({
        calls,
        shoppers: SHOPPERS,
        seed: SEED + ++loads,
        recorder,
        shared: { ...shared, slowCards },
        pause: PAUSE,
      });
      stopReading = startReading(calls);
    },
    async finish() {
      const counts = observed.counts();
      await stop();
      const repeated = load?.repeated ?? [];
      const account = await accountFor({ calls, ...connected(), recorder, repeated, from, webhooks, knownLedgerDifferences });
      // Failures while the load stops count, too. The silence was read before, because a stopping load sends fewer changes.
      return { ...account, ...observed.counts(), longestSilence: counts.longestSilence };
    },
    stop,
    now: async () => performance.now(),
    counts: async () => observed.counts(),
    async waitForAcknowledged(count) {
      const [begun, wanted] = [performance.now(), observed.counts().acknowledged + count];
      await eventually(`${count} more changes`, () => observed.counts().acknowledged >= wanted, RECOVERED_WITHIN);
      return Math.round(performance.now() - begun);
    },
    waitForRecovery: (since) => eventually('all APIs to answer reads and changes', () => observed.recoveredAfter(since), RECOVERED_WITHIN),
    lastFailureAfter: async (since) => observed.lastFailureAfter(since),
    stepDown: () => stepDown(required(environment, 'MONGODB_ROOT_URL')),
    underReplicated: () => connected().topics.underReplicated(),
    status: statusOf,
    async waitForOk(url) {
      const begun = performance.now();
      await eventually(`${url} to answer 200`, async () => (await statusOf(url)) === 200, RECOVERED_WITHIN);
      return Math.round(performance.now() - begun);
    },
    versions: () => versionsOf(environment),
    markBackup: async () => backup.mark(),
    async missing() {
      const missing = await backup.missingFrom(connected().storage);
      knownLedgerDifferences = missing.ledger;
      return missing;
    },
    webhooks: async () => [...webhooks.received().values()].reduce((sum, count) => sum + count, 0),
    async forget() {
      recorder = new RequestRecorder();
      backup = new BackupTimes(recorder);
      shared.pets.splice(0);
    },
    async close() {
      await stop();
      await Promise.all([storage?.close(), topics?.close(), webhooks.close()]);
    },
  };
};

const statusOf = async (url: string): Promise<number> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).status;
  } catch {
    return 0;
  }
};

const primaryOf = async (client: MongoClient): Promise<string> =>
  String((await client.db('admin').command({ hello: 1 }))['primary'] ?? 'none');

const stepDown = async (url: string): Promise<readonly [string, string]> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 30_000 });
  try {
    const before = await primaryOf(client);
    // The member may become primary again after 5 s.
    await client.db('admin').command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 2 }).catch(throwUnlessClosed);
    const after = await eventually(
      'another primary',
      async () => {
        const primary = await primaryOf(client);
        return primary === 'none' || primary === before ? null : primary;
      },
      RECOVERED_WITHIN,
    );
    return [before, after];
  } finally {
    await client.close();
  }
};

/** A primary that steps down may close the connection before it answers. */
const throwUnlessClosed = (error: unknown): void => {
  if (!(error instanceof Error) || !/closed|reset|NotPrimary|not primary/i.test(error.message)) throw error;
};

const versionsOf = async (environment: NodeJS.ProcessEnv): Promise<Readonly<Record<string, string>>> => {
  const client = new MongoClient(required(environment, 'MONGODB_URL'));
  try {
    const { version } = (await client.db('admin').command({ buildInfo: 1 })) as { version: string };
    return { mongod: version };
  } finally {
    await client.close();
  }
};
