import { eventually } from '../../eventually.js';
import { inSeconds, underLoad, waitForProcesses, type Drill, type Seen } from './drill.js';

const STEP_DOWNS = 20;
/** Milliseconds within which reads and writes must succeed again. */
const BACK_WITHIN = 10_000;
/** Milliseconds between two step-downs. A primary that has stepped down may be elected again after 5 s. */
const STEP_DOWN_EVERY = 6_000;
const CUT_FOR = 20_000;

/** Kills a Kafka broker, removes its data, and later starts it again without the data. */
export const loseBroker = (drill: Drill): Promise<Seen> => {
  const { project, observer, table } = drill;
  const lost = 'kafka-2';
  return underLoad(drill, async () => {
    const since = await observer.now();
    await project.compose('kill', lost);
    await project.compose('rm', '--force', '--volumes', lost);
    await project.docker('volume', 'rm', `${project.name}_${lost}`);
    const back = await observer.waitForRecovery(since);
    table.log(`${lost} and its data are gone; APIs answer after ${inSeconds(back)}`);
    await observer.waitForAcknowledged(300);
    const without = await observer.underReplicated();
    await project.compose('up', '--detach', '--no-deps', '--no-build', '--wait', lost);
    await eventually('all replicas to be in sync', async () => (await observer.underReplicated()) === 0, 120_000);
    return `APIs answered again after ${inSeconds(back)}; ${without} partitions had a replica fewer, none after an empty broker had taken its place`;
  });
};

/** Makes the primary of MongoDB step down STEP_DOWNS times. */
export const stepDownPrimary = (drill: Drill): Promise<Seen> => {
  const { observer, table } = drill;
  return underLoad(drill, async () => {
    let [slowest, lastFailure] = [0, 0];
    const primaries = new Set<string>();
    for (let count = 1; count <= STEP_DOWNS; count++) {
      const since = await observer.now();
      const [, after] = await observer.stepDown();
      primaries.add(after);
      const back = await observer.waitForRecovery(since);
      // The load continues until the next step-down, so that failures after the recovery are counted, too.
      await eventually('the next step-down', async () => (await observer.now()) > since + STEP_DOWN_EVERY, 2 * STEP_DOWN_EVERY);
      const failure = await observer.lastFailureAfter(since);
      slowest = Math.max(slowest, back);
      lastFailure = Math.max(lastFailure, failure);
      if (count % 5 === 0)
        table.log(`${count} step-downs; back within ${inSeconds(slowest)}, last failure after ${inSeconds(lastFailure)}`);
    }
    const notes = `${STEP_DOWNS} step-downs; reads and writes at every API again after ${inSeconds(slowest)} at most, the last failed attempt after ${inSeconds(lastFailure)}; ${primaries.size} primaries`;
    if (slowest > BACK_WITHIN || lastFailure > BACK_WITHIN) throw new Error(`not back within ${inSeconds(BACK_WITHIN)}: ${notes}`);
    return notes;
  });
};

/** Cuts an API and a worker off from the servers, and reconnects them. */
export const cutNetwork = (drill: Drill): Promise<Seen> => {
  const { project, observer, table } = drill;
  const network = `${project.name}_servers`;
  const cut = ['worker-1', 'api-1'] as const;
  return underLoad(drill, async () => {
    const begun = await observer.now();
    for (const service of cut) await project.docker('network', 'disconnect', network, project.container(service));
    await eventually('the end of the cut', async () => (await observer.now()) > begun + CUT_FOR, 2 * CUT_FOR);
    const { acknowledged } = await observer.counts();
    await observer.waitForAcknowledged(20);
    for (const service of cut) {
      await project.docker('network', 'connect', '--alias', service, network, project.container(service));
    }
    const healed = await observer.now();
    const back = await observer.waitForRecovery(healed);
    table.log(`${acknowledged} changes were acknowledged when the network was healed; every API answered ${inSeconds(back)} later`);
    await waitForProcesses(drill);
    return `${cut.join(' and ')} were cut off for ${inSeconds(healed - begun)}; all APIs answered ${inSeconds(back)} after it was healed`;
  });
};
