import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../../eventually.js';
import type { Cluster, Member } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import { beginJourney, type Shop } from './journey.js';
import type { Met } from './load.js';

/** "each role in turn": whoever does it at that moment is killed. Timers are one of a worker's leases, as projections are. */
const TARGETS = ['api', 'relay', 'projections', 'consumers'] as const;
type Target = (typeof TARGETS)[number];

/** An owner that is gone is replaced within its lease of 5 s and a look every second. */
const OWNED_WITHIN = 20_000;
/** Deeds between two kills, at least and at most. */
const FEWEST_DEEDS = 40;
const MORE_DEEDS = 80;
/** Deeds while the killed one is missing. */
const DEEDS_WITHOUT = 15;

/** What the kills met. */
type KillsReport = Met & {
  readonly audit: AuditReport;
  /** How many requests were under way at each. */
  readonly inFlight: readonly number[];
};

/** Kills one process after the other under load, starts it again, and looks at everything in the end. */
export const killInTurn = async (shop: Shop, rounds: number, seed: number): Promise<KillsReport> => {
  const random = createRandom(seed);
  const journey = beginJourney(shop, seed);
  const inFlight: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const target = TARGETS[round % TARGETS.length] ?? 'api';
    const victim = await whoever(target, shop.cluster, Math.floor(round / TARGETS.length));
    await journey.answers(FEWEST_DEEDS + Math.floor(random() * MORE_DEEDS));
    inFlight.push(journey.load.inFlight());
    await victim.kill();
    // Nothing waits for the one that is gone: the other api answers, the log takes what comes.
    await journey.answers(DEEDS_WITHOUT);
    await victim.restart();
  }
  const met = journey.load.met();
  return { ...met, inFlight, audit: await journey.end() };
};

/** The process that does it now. Apis and consumers share the work, so any will do: one after the other. */
const whoever = (target: Target, { apis, workers }: Cluster, turn: number): Promise<Member> =>
  eventually(
    `someone who does it: ${target}`,
    async () => {
      if (target === 'api') return apis[turn % apis.length];
      if (target === 'consumers') return workers[turn % workers.length];
      for (const worker of workers) if ((await ownedBy(worker)).some((name) => (name === 'relay') === (target === 'relay'))) return worker;
      return null;
    },
    OWNED_WITHIN,
  );

/** The leases that a worker says it has: `relay`, and read models by name. */
const ownedBy = async ({ url }: Member): Promise<readonly string[]> => {
  const answer = await fetch(`${url}/health/ready`);
  return answer.ok ? ((await answer.json()) as { owns: readonly string[] }).owns : [];
};
