import { describe, expect, it } from '@jest/globals';
import type { TopicFinding } from '../../../../../libs/adapters/kafka/index.js';
import { StoreUnavailable } from '../../../../../libs/eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../../../../libs/eventsourcing/testing/manual-clock.js';
import { advanceBy } from '../../../../../libs/runtime/following/following.fixtures.js';
import { TopicWatch } from './topic-watch.js';

const COMPACTED: TopicFinding = { topic: 'orders', kind: 'contradiction', text: 'topic orders: cleanup.policy is compact; run: configure' };
const MORE: TopicFinding = { topic: 'pets', kind: 'notice', text: 'topic pets: it has 12 partitions' };
const TEN_MINUTES = 600_000;

const recordingLog = () => {
  const lines: { readonly level: string; readonly message: string }[] = [];
  const write = (level: string) => (_: object, message: string) => void lines.push({ level, message });
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
};

const watchOf = (isProduction: boolean, first: readonly TopicFinding[] | 'down') => {
  const clock = manualClock();
  const log = recordingLog();
  const subject = { found: first };
  const checkTopics = async (): Promise<readonly TopicFinding[]> => {
    if (subject.found === 'down') throw new StoreUnavailable('Kafka is unavailable: refused');
    return subject.found;
  };
  return { clock, log, subject, watch: new TopicWatch({ checkTopics, isProduction, clock, log }) };
};
const linesOf = ({ lines }: ReturnType<typeof recordingLog>) => lines.map(({ level, message }) => `${level}: ${message}`);

/** Proves contract 22.7. */
describe('the watch of topics', () => {
  it('fails the start in production, and names the command that corrects the topic', async () => {
    const { watch } = watchOf(true, [COMPACTED, MORE]);
    await expect(watch.start()).rejects.toMatchObject({
      name: 'CommandError',
      message: `topics differ from what is promised, so messages could be lost.\n${COMPACTED.text}`,
    });
  });

  it.each([
    ['in development by a contradiction', false, COMPACTED, 'warn'],
    ['in production by a notice', true, MORE, 'warn'],
  ])('does not fail the start %s, which is logged once and shown', async (_, isProduction, finding, level) => {
    const { watch, clock, log } = watchOf(isProduction, [finding]);
    await watch.start();
    await advanceBy(clock, TEN_MINUTES);
    expect([watch.warnings(), watch.blockedReason(), linesOf(log)]).toEqual([[finding.text], null, [`${level}: ${finding.text}`]]);
    await watch.stop();
  });

  it('finds a change every ten minutes, and its correction', async () => {
    const { watch, clock, log, subject } = watchOf(true, []);
    await watch.start();
    subject.found = [COMPACTED];
    await advanceBy(clock, TEN_MINUTES - 1_000);
    expect(watch.warnings()).toEqual([]);
    await advanceBy(clock, 1_000);
    // A running process goes on: to stop it would lose no fewer messages.
    expect([watch.warnings(), watch.blockedReason()]).toEqual([[COMPACTED.text], null]);
    subject.found = [];
    await advanceBy(clock, 30_000);
    expect([watch.warnings(), linesOf(log)]).toEqual([[], [`error: ${COMPACTED.text}`, `info: corrected: ${COMPACTED.text}`]]);
    await watch.stop();
  });

  it('blocks a process in production that started without Kafka, until the topics are corrected', async () => {
    const { watch, clock, subject } = watchOf(true, 'down');
    await watch.start();
    expect(watch.blockedReason()).toBeNull();
    subject.found = [COMPACTED];
    await advanceBy(clock, 5_000);
    expect(watch.blockedReason()).toContain(COMPACTED.text);
    subject.found = [];
    await advanceBy(clock, 5_000);
    expect([watch.blockedReason(), watch.warnings()]).toEqual([null, []]);
    await watch.stop();
  });
});
