import { expect } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { eventually } from '../../eventually.js';
import type { Cluster, Member } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import { startJourney, type ClusterSession } from './journey.js';
import { readinessOf } from './readiness.js';
import { openClusterStorage } from './cluster-storage.js';
import { readTopics, expectedMessages, type TopicMessage } from './topic-messages.js';
/** The number of responses in each of three phases: before the pause of the owner, during it and after it. */
const REQUESTS = 20;

type FencingReport = { readonly owned: readonly string[]; readonly audit: AuditReport };

/**
 * Pauses the owner of a lease under load until another process owns all leases of the paused owner. Then resumes the
 * former owner, which must write nothing (contract 24.6).
 */
export const pauseOwner = async (session: ClusterSession, name: string, seed: number): Promise<FencingReport> => {
  const { cluster } = session;
  const journey = startJourney(session, seed);
  await journey.waitForResponses(REQUESTS);
  const { owner, other, owns } = await waitForOwner(cluster, name);
  await owner.pause();
  try {
    await eventually('the other worker to own the leases', async () => hasAll(await leasesOwnedBy(other), owns));
    const leasesOfNewOwner = await leaseRecordsOf(cluster, owns);
    await journey.waitForResponses(REQUESTS);
    owner.resume();
    await eventually('the former owner to become a standby', async () => !(await leasesOwnedBy(owner)).some((one) => owns.includes(one)));
    await journey.waitForResponses(REQUESTS);
    const audit = await journey.end();
    // The new owner keeps its leases: each has the same fencing token as before.
    expect(await leaseRecordsOf(cluster, owns)).toEqual(leasesOfNewOwner);
    expect(hasAll(await leasesOwnedBy(other), owns)).toBe(true);
    expect(incompleteRepeats(await topicMessagesOf(cluster))).toEqual([]);
    return { owned: owns, audit };
  } finally {
    owner.resume();
    await journey.load.stop();
  }
};

const leasesOwnedBy = async ({ url }: Member): Promise<readonly string[]> => (await readinessOf(url)).owns;

const hasAll = (has: readonly string[], wanted: readonly string[]): boolean => wanted.every((one) => has.includes(one));

const waitForOwner = ({ workers }: Cluster, name: string) =>
  eventually(`an owner of ${name}`, async () => {
    for (const owner of workers) {
      const owns = await leasesOwnedBy(owner);
      const other = workers.find((worker) => worker !== owner);
      if (owns.includes(name) && other) return { owner, other, owns };
    }
    return null;
  });

/** Returns the stored leases: their owners and fencing tokens. */
const leaseRecordsOf = async ({ mongod }: Cluster, names: readonly string[]): Promise<readonly unknown[]> => {
  const client = new MongoClient(mongod.url);
  try {
    const leases = client.db('petstore').collection<{ _id: string }>('leases');
    const ids = names.map((name) => (name === 'relay' ? name : `projection:${name}`));
    const found = await leases.find({ _id: { $in: ids } }, { projection: { holder: 1, fence: 1 }, sort: { _id: 1 } }).toArray();
    expect(found).toHaveLength(names.length);
    return found;
  } finally {
    await client.close();
  }
};

const topicMessagesOf = async ({ eventStore, mongod, kafka }: Cluster): Promise<readonly TopicMessage[]> => {
  const storage = await openClusterStorage({ eventStoreUrl: eventStore.url, mongoUrl: mongod.url });
  try {
    return await readTopics(kafka.brokers, expectedMessages(await storage.events()));
  } finally {
    await storage.close();
  }
};

/**
 * Reports each message key for which a process published after it had lost the lease of the relay. A new owner may repeat
 * messages, but then repeats all later messages of the key, too. So if a repeated message is not followed by the next one
 * in the sequence, a former owner published it.
 */
export const incompleteRepeats = (messages: readonly TopicMessage[]): readonly string[] =>
  [...Map.groupBy(messages, ({ topic, key }) => `${topic} ${key}`)].flatMap(([key, ofKey]) => {
    const sequences = ofKey.map(({ attributes }) => Number(attributes['sequence']));
    const highest = Math.max(...sequences);
    const isBroken = sequences.some((sequence, index) => {
      const next = sequences[index + 1];
      const furthest = Math.max(...sequences.slice(0, index + 1));
      return sequence < furthest && next !== sequence + 1;
    });
    return isBroken || sequences.at(-1) !== highest ? [`${key} was published as ${sequences.join(', ')}`] : [];
  });
