import { beforeEach, describe, expect, it } from '@jest/globals';
import { DONE_MILLISECONDS } from '../../../libs/eventsourcing/ports/work-queue.port.js';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { WorkQueueServer } from './simulated-work-queue.js';

const work = { queue: 'deliveries', id: 'a', lane: 'somebody', data: '{}' };

describe('a work queue server', () => {
  let clock: ManualClock;
  let server: WorkQueueServer;
  beforeEach(() => {
    clock = manualClock();
    server = new WorkQueueServer(clock);
  });

  it('makes the work of one queue due, also if a killed process has claimed it', () => {
    for (const queue of ['deliveries', 'others']) {
      server.enqueue({ ...work, queue }, 0);
      server.claim(queue, 10_000, []);
    }
    server.makeDue('deliveries');
    expect(server.claim('deliveries', 10_000, [])).toEqual({ ...work, attempt: 2, retries: 0 });
    expect(server.claim('others', 10_000, [])).toBeNull();
  });

  it('begins delays again after its clock was set back', () => {
    server.enqueue(work, 1_000);
    clock.set(clock.now().getTime() - 86_400_000);
    clock.advance(1_000);
    expect(server.claim('deliveries', 10_000, [])).toBeNull();
    server.shortenWaits('deliveries');
    clock.advance(999);
    expect(server.claim('deliveries', 10_000, [])).toBeNull();
    clock.advance(1);
    expect(server.claim('deliveries', 10_000, [])).toMatchObject(work);
  });

  it('remembers done work for exactly a week', () => {
    server.enqueue(work, 0);
    const claimed = server.claim('deliveries', 10_000, []);
    expect(claimed && server.complete(claimed)).toBe(true);
    clock.advance(DONE_MILLISECONDS);
    expect(server.enqueue(work, 0)).toBe(false);
    clock.advance(1);
    expect(server.enqueue(work, 0)).toBe(true);
    expect(server.claim('deliveries', 10_000, [])).toMatchObject({ attempt: 1 });
  });
});
