import { beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { HOOK, openDeliveries, WEBHOOK } from '../deliveries.fixtures.js';
import type { Endpoint } from '../endpoints.js';
import { FailingEndpoints } from './failing-endpoints.js';

const HOUR = 3_600_000;
const endpoint = { id: WEBHOOK, url: HOOK, enabledAt: '2026-01-01T00:00:00.000Z' } as Endpoint;

describe('an endpoint with failed attempts', () => {
  let failing: FailingEndpoints;
  beforeEach(() => {
    failing = new FailingEndpoints(openDeliveries(manualClock()).documents);
  });
  const failsAt = (hour: number, one = endpoint): Promise<boolean> =>
    failing.recordFailure(one, new Date(Date.UTC(2026, 0, 2) + hour * HOUR));
  const failAt = async (hours: readonly number[], one = endpoint): Promise<readonly number[]> => {
    const tooLong: number[] = [];
    for (const hour of hours) if (await failsAt(hour, one)) tooLong.push(hour);
    return tooLong;
  };

  it('must be disabled after 5 days of failures', async () => expect(await failAt([0, 24, 48, 72, 96, 119, 120, 121])).toEqual([120, 121]));

  it('stays enabled when an attempt succeeded meanwhile', async () => {
    await failAt([0, 24, 48]);
    await failing.recordSuccess(endpoint);
    expect(await failAt([72, 96, 120, 144])).toEqual([]);
  });

  it('stays enabled when it was enabled again meanwhile', async () => {
    await failAt([0, 24, 48]);
    expect(await failAt([72, 96, 120], { ...endpoint, enabledAt: '2026-01-04T12:00:00.000Z' })).toEqual([]);
  });

  it('stays enabled when its URL changed meanwhile', async () => {
    await failAt([0, 24, 48, 72, 96]);
    const moved = { ...endpoint, url: 'https://shop.example.com/moved' };
    expect(await failAt([119, 120, 144], moved)).toEqual([]);
    expect(await failAt([168, 192, 216, 239], moved)).toEqual([239]);
  });

  it('stays enabled when nothing was sent for longer than the longest retry delay', async () => {
    expect(await failAt([0, 144])).toEqual([]);
    expect(await failAt([168, 192, 216, 240, 264])).toEqual([264]);
  });

  it('must be disabled even if each attempt was as late as the schedule allows', async () =>
    expect(await failAt([0, 26.4, 52.8, 79.2, 105.6, 132])).toEqual([132]));

  it('must be disabled even if concurrent attempts were recorded out of order', async () => {
    await failAt([0, 24, 48, 47, 74]);
    expect(await failAt([100, 120])).toEqual([120]);
  });
});
