import { describe, expect, it } from '@jest/globals';
import { openDeliveries } from '../../deliveries/deliveries.fixtures.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { Heartbeat } from './processes.js';
import { ProcessSamples } from './process-samples.js';

/** Lets work that a timer has begun go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const advance = async (clock: ManualClock, seconds: number): Promise<void> => {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1_000);
    await settle();
  }
};

const openService = () => {
  const clock = manualClock('2026-01-02T00:00:00Z');
  const { documents } = openDeliveries(clock);
  const failures: unknown[] = [];
  let lag = 0;
  const open = (id: string, stored: Documents | null = documents) => {
    const samples = new ProcessSamples(clock.now());
    const heartbeat = new Heartbeat({
      identity: { id, host: 'one', pid: 7, roles: ['api'], version: '1.0.0', startedAt: clock.now().toISOString() },
      samples,
      clock,
      documents: stored,
      usage: async () => ({ lag: lag++, cpuMicroseconds: 0, memoryBytes: 0 }),
      report: async () => ({ servers: { mongodb: { status: 'up' } }, consumers: null }),
      onError: (error) => void failures.push(error),
    });
    heartbeat.start();
    return { heartbeat, samples };
  };
  return { clock, documents, failures, open };
};

const seenBy = async (heartbeat: Heartbeat) => (await heartbeat.states()).map(({ id }) => id);

/** Proves contract 43.12. */
describe('the heartbeat of a process', () => {
  it('shows all processes to each, with what they do and use', async () => {
    const { clock, open } = openService();
    const [{ heartbeat: one }, other] = [open('one'), open('other')];
    other.samples.requestServed({ status: 200, seconds: 0.001 });
    await advance(clock, 1);
    expect(await one.states()).toMatchObject([
      { id: 'one', roles: ['api'], servers: { mongodb: { status: 'up' } }, seenAt: '2026-01-02T00:00:01.000Z' },
      { id: 'other', pid: 7, samples: { values: { requests: [1] } } },
    ]);
  });

  it('is shown for a minute after the last one, and not after a stop', async () => {
    const { clock, documents, open } = openService();
    const { heartbeat: one } = open('one');
    // A killed process: its heartbeat is written once.
    const first = { apply: async (...args: Parameters<Documents['apply']>) => (clock.elapsed() < 5_000 ? documents.apply(...args) : true) };
    open('killed', { ...documents, ...first } as Documents);
    const { heartbeat: stopped } = open('stopped');
    await advance(clock, 12);
    expect(await seenBy(one)).toEqual(['one', 'killed', 'stopped']);
    await stopped.stop();
    await advance(clock, 46);
    expect(await seenBy(one)).toEqual(['one', 'killed']);
    await advance(clock, 10);
    expect(await seenBy(one)).toEqual(['one']);
  });

  it('goes on while the database is away, and shows this process alone', async () => {
    const { clock, failures, open } = openService();
    const away = async (): Promise<never> => {
      throw new Error('the database is away');
    };
    const { heartbeat } = open('one', { apply: away, find: away } as unknown as Documents);
    await advance(clock, 21);
    expect([await seenBy(heartbeat), failures.length]).toEqual([['one'], 3]);
    const [own] = await heartbeat.states();
    expect([own?.samples.values.lag, own?.seenAt]).toEqual([[0, 1, 2], '2026-01-02T00:00:21.000Z']);
  });

  it('is written nowhere on one folder', async () => {
    const { clock, documents, open } = openService();
    const { heartbeat } = open('one', null);
    await advance(clock, 11);
    expect((await heartbeat.states())[0]?.samples.values.lag).toEqual([0, 1]);
    const { heartbeat: other } = open('other', documents);
    expect(await seenBy(other)).toEqual(['other']);
  });
});
