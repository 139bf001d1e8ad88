import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../../../libs/eventsourcing/testing/manual-clock.js';
import { advanceBy } from '../../../../../libs/runtime/following/following.fixtures.js';
import { describeDown, ServerWatch } from './server-watch.js';

const HANGS = new Promise<void>(() => undefined);

const recordingLog = () => {
  const lines: { readonly level: string; readonly message: string }[] = [];
  const write = (level: string) => (_: object, message: string) => void lines.push({ level, message });
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
};

/** Proves contract 25.1 and contract 25.2. */
describe('the watch of servers', () => {
  const watchOf = () => {
    const clock = manualClock();
    const log = recordingLog();
    const subject = { kafka: (): Promise<unknown> => Promise.resolve() };
    const servers = {
      mongodb: { ping: async () => undefined, waiting: 'reads' },
      kafka: { ping: () => subject.kafka(), waiting: 'publishing' },
    };
    return { clock, log, subject, watch: new ServerWatch({ servers, clock, log }) };
  };

  it.each([
    ['refuses', () => Promise.reject(new Error('refused'))],
    ['does not respond', () => HANGS],
  ])('names a server that %s, since when it is away, and what waits, until it is back', async (_, ping) => {
    const { clock, log, subject, watch } = watchOf();
    watch.start();
    await advanceBy(clock, 1_000);
    expect(await watch.states()).toEqual({ mongodb: { status: 'up' }, kafka: { status: 'up' } });
    subject.kafka = ping;
    const from = clock.now().getTime();
    await advanceBy(clock, 60_000);
    const reading = watch.states();
    await advanceBy(clock, 2_000);
    const states = await reading;
    expect(states).toEqual({ mongodb: { status: 'up' }, kafka: { status: 'down', since: expect.any(String), waiting: 'publishing' } });
    const { since } = states['kafka'] as { readonly since: string };
    // Nobody read the health, and the outage was found with the next check all the same.
    expect(Date.parse(since) - from).toBeLessThan(7_000);
    expect(describeDown(states)).toBe(`kafka has been away since ${since}`);
    subject.kafka = () => Promise.resolve();
    await advanceBy(clock, 10_000);
    expect((await watch.states())['kafka']).toEqual({ status: 'up' });
    expect(log.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual(['warn: a server is away', 'info: a server is back']);
    await watch.stop();
  });
});
