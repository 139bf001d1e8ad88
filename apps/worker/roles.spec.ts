import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { startRoles, type Profile, type RolePorts } from './roles.js';

const clock = manualClock();

/** The ports of a worker while the brokers are down. */
const ports = {
  clock,
  work: { onEnqueued: () => undefined, claim: async () => null },
  messages: { subscribe: () => Promise.reject(new Error('the brokers are down')) },
  onError: () => undefined,
} as unknown as RolePorts;

const profile = (stopped: string[]): Profile => ({
  startProjections: () => ({ stop: async () => void stopped.push('projections') }),
  openEndpoints: () => ({ endpoints: async () => [], stop: async () => void stopped.push('endpoints') }) as never,
  runExclusively: (role) => async () => void stopped.push(role),
});

describe('the roles of a worker', () => {
  it('all stop when one of them cannot start', async () => {
    const stopped: string[] = [];
    const starting = startRoles(new Set(['projections', 'timers', 'consumers']), ports, profile(stopped));
    await expect(starting).rejects.toThrow('the brokers are down');
    expect(stopped).toEqual(['endpoints', 'projections', 'timers']);
  });

  it('stop calling the payment gateway when a subscription was rejected', async () => {
    let claims = 0;
    const work = { onEnqueued: () => undefined, claim: async () => (claims++, null) };
    await expect(startRoles(new Set(['consumers']), { ...ports, work } as unknown as RolePorts, profile([]))).rejects.toThrow();
    const before = claims;
    for (let minute = 0; minute < 10; minute++) {
      clock.advance(60_000);
      await yieldToEventLoop();
    }
    expect(claims).toBe(before);
  });
});
