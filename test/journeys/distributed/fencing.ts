import { expect } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { eventually } from '../../eventually.js';
import type { Cluster, Member } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import { beginJourney, type Shop } from './journey.js';
import { readinessOf } from './readiness.js';
import { openKept } from './cluster-storage.js';
import { readTold, toBeTold, type Told } from './topic-messages.js';

/** A lease ends after 5 s, and whoever stands by looks every second. */
const TAKEN_OVER_WITHIN = 20_000;
const NOTICED_WITHIN = 10_000;
/** Deeds before the owner is stopped, while it stands still, and after it goes on. */
const DEEDS = 20;

type FencingReport = { readonly taken: readonly string[]; readonly audit: AuditReport };

/**
 * "SIGSTOP of an active projector, and of the relay, past the lease and SIGCONT later: the stale owner writes nothing":
 * stops the one that has this lease, in the middle of its work, until another has all that it had, and lets it go on.
 */
export const stopOwner = async (shop: Shop, name: string, seed: number): Promise<FencingReport> => {
  const { cluster } = shop;
  const journey = beginJourney(shop, seed);
  await journey.answers(DEEDS);
  const { owner, other, owns } = await ownerOf(cluster, name);
  await owner.pause();
  try {
    await eventually('another owner', async () => hasAll(await ownsOf(other), owns), TAKEN_OVER_WITHIN);
    const taken = await leasesOf(cluster, owns);
    await journey.answers(DEEDS);
    owner.resume();
    await eventually('the stale owner to stand by', async () => !(await ownsOf(owner)).some((one) => owns.includes(one)), NOTICED_WITHIN);
    await journey.answers(DEEDS);
    const audit = await journey.end();
    // Whoever took over was disturbed by nobody: each lease is still the very one that was taken then.
    expect(await leasesOf(cluster, owns)).toEqual(taken);
    expect(hasAll(await ownsOf(other), owns)).toBe(true);
    expect(repeatsLeftHalfWay(await toldIn(cluster))).toEqual([]);
    return { taken: owns, audit };
  } finally {
    owner.resume();
    await journey.load.stop();
  }
};

const ownsOf = async ({ url }: Member): Promise<readonly string[]> => (await readinessOf(url)).owns;

const hasAll = (has: readonly string[], wanted: readonly string[]): boolean => wanted.every((one) => has.includes(one));

const ownerOf = ({ workers }: Cluster, name: string) =>
  eventually(
    `an owner of ${name}`,
    async () => {
      for (const owner of workers) {
        const owns = await ownsOf(owner);
        const other = workers.find((worker) => worker !== owner);
        if (owns.includes(name) && other) return { owner, other, owns };
      }
      return null;
    },
    TAKEN_OVER_WITHIN,
  );

/** Who holds them, and under which fence. */
const leasesOf = async ({ mongod }: Cluster, names: readonly string[]): Promise<readonly unknown[]> => {
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

const toldIn = async ({ eventStore, mongod, kafka }: Cluster): Promise<readonly Told[]> => {
  const kept = await openKept({ eventStoreUrl: eventStore.url, mongoUrl: mongod.url });
  try {
    return await readTold(kafka.brokers, toBeTold(await kept.events()));
  } finally {
    await kept.close();
  }
};

/**
 * What a new owner tells again it tells in order, up to where the old one was: a message that stands alone behind later ones of its
 * key was told by somebody whose time was over.
 */
export const repeatsLeftHalfWay = (told: readonly Told[]): readonly string[] =>
  [...Map.groupBy(told, ({ topic, key }) => `${topic} ${key}`)].flatMap(([place, messages]) => {
    const sequences = messages.map(({ attributes }) => Number(attributes['sequence']));
    const highest = Math.max(...sequences);
    const broken = sequences.some((sequence, index) => {
      const next = sequences[index + 1];
      const furthest = Math.max(...sequences.slice(0, index + 1));
      return sequence < furthest && next !== sequence + 1;
    });
    return broken || sequences.at(-1) !== highest ? [`${place} was told as ${sequences.join(', ')}`] : [];
  });
