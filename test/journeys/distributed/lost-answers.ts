import { eventually } from '../../eventually.js';
import type { Cluster } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import type { CuttingProxy } from './cutting-proxy.js';
import { beginJourney, type Shop } from './journey.js';
import type { Met } from './load.js';

/** Of what the server sends, so much is cut off: some tens of connections in a thousand deeds. */
const CHANCE = 0.01;
/** Deeds before the first cut, and after the last. */
const DEEDS = 50;
const FOUND_WITHIN = 120_000;

/** What the cuts met. */
type LostAnswersReport = Met & {
  readonly audit: AuditReport;
  readonly cuts: number;
  /** Appends whose answer was lost, and that were found to have been written. */
  readonly found: number;
};

/** Cuts answers off under load until so many appends have lost theirs after the commit, and looks at everything in the end. */
export const loseAnswers = async (shop: Shop, proxy: CuttingProxy, wanted: number, seed: number): Promise<LostAnswersReport> => {
  const before = foundAppended(shop.cluster);
  const journey = beginJourney(shop, seed);
  await journey.answers(DEEDS);
  proxy.cutWith(CHANCE);
  await eventually(`${wanted} appends that lost their answer`, () => foundAppended(shop.cluster) >= before + wanted, FOUND_WITHIN);
  proxy.cutWith(0);
  await journey.answers(DEEDS);
  const met = journey.load.met();
  return { ...met, cuts: proxy.cuts(), found: foundAppended(shop.cluster) - before, audit: await journey.end() };
};

/** "The connection cut after commit and before the answer": what the processes logged of it. */
const foundAppended = ({ apis, workers }: Cluster): number =>
  [...apis, ...workers].flatMap((member) => member.log().split('\n')).filter((line) => line.includes('"found":"appended"')).length;
