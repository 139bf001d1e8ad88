import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { formatReport, GapFinder, type Received } from '../../examples/subscriber/subscriber.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT, runProgram } from '../servers/program.js';
import { expectedLines, faultyFeed } from './faulty-feed.js';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MESSAGES = 100_000;
const FAULTS = 10;
const FEED = faultyFeed(MESSAGES, FAULTS);

/** Returns the lines of a report. Sorts the lines of single messages; the last line, with the totals, stays last. */
const linesOf = (report: string): readonly string[] => {
  const lines = report.trimEnd().split('\n');
  return [...lines.slice(0, -1).toSorted(), ...lines.slice(-1)];
};

const feed = (received: readonly Received[]): GapFinder => {
  const found = new GapFinder();
  for (const message of received) found.add(message);
  return found;
};

const message = (sequence: number, topic = 'petstore.pets.v1'): Received => ({ topic, key: 'a', sequence, id: `id-${sequence}` });

/** Proves contract 22.3 and contract 22.4 for subscribers. */
describe('a subscriber that lost 10 of 100,000 messages and got 10 twice', () => {
  afterAll(removeFolders);

  it('names these messages, in TypeScript', () => {
    const lines = linesOf(formatReport(feed(FEED.received)));
    expect(lines).toEqual(expectedLines(FEED));
    expect(lines.at(-1)).toBe('99990 messages, 10 missing, 10 doubles');
  });

  it('names these messages, in Python', async () => {
    const file = join(newFolder(), 'feed.ndjson');
    writeFileSync(file, FEED.received.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const { code, stdout, stderr } = await runProgram('python3', [join(ROOT, 'test', 'consumers', 'feed_subscriber.py'), file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(linesOf(stdout)).toEqual(expectedLines(FEED));
  });
});

describe('a subscriber', () => {
  it('says that no broker answers', async () => {
    const args = ['--no-warnings', join(ROOT, 'examples', 'subscriber', 'subscriber.ts'), 'petstore.pets.v1'];
    // Nothing listens on port 1.
    const { code, stdout, stderr } = await runProgram(NODE, args, { env: { KAFKA_BROKERS: '127.0.0.1:1' } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^subscriber: no broker can be used at 127\.0\.0\.1:1: .*ECONNREFUSED.*\. Start Kafka, or correct KAFKA_BROKERS\.\n$/,
    );
  });

  it('names several missing messages in a row as one range', () =>
    expect(feed([message(1), message(5)]).gaps()).toEqual([{ topic: 'petstore.pets.v1', key: 'a', from: 2, to: 4 }]));

  it('reports missing messages at the beginning of a key', () => expect(feed([message(2)]).gaps()).toMatchObject([{ from: 1, to: 1 }]));

  it('accepts a late message, and reports it as a double when it arrives again', () => {
    const found = feed([message(1), message(3)]);
    expect([found.add(message(2)), found.add(message(2)), found.gaps()]).toEqual([true, false, []]);
    expect(found.doubles).toEqual([message(2)]);
  });

  it('accepts a replayed message that fills a gap, and ignores the replay of a message that it has', () => {
    const found = feed([message(1), message(3)]);
    const replays = [message(2), message(3)].map((each) => ({ ...each, isReplay: true }));
    expect([replays.map((each) => found.add(each)), found.gaps(), found.doubles]).toEqual([[true, false], [], []]);
  });

  it('finds no gaps in accounts, of which only erasures are published', () =>
    expect(feed([message(7, 'petstore.users.v1')]).gaps()).toEqual([]));

  it('finds no gap at the end of a key, because no later message shows it', () =>
    expect(feed([message(1), message(2)]).gaps()).toEqual([]));
});
