import { describe, expect, it } from '@jest/globals';
import type { Process, ProjectionState, ServiceState } from './shapes.js';
import { findingsOf, serversOf, unknownParts } from './verdict.js';

const AT = '2026-01-02T03:04:05.000Z';
const process = (id: string, more: Partial<Process> = {}): Process => ({
  id,
  host: 'h',
  pid: 1,
  roles: ['api'],
  version: '1.0.0',
  startedAt: AT,
  seenAt: AT,
  servers: { mongodb: { status: 'up' } },
  consumers: null,
  ...more,
});
const down = (since: string) => ({ mongodb: { status: 'down', since, waiting: 'refused' } }) as const;
const QUIET: ServiceState = {
  at: AT,
  processes: [process('a')],
  orders: {},
  payments: {},
  deliveries: {},
  stuck: [],
  parked: { count: 0, isComplete: true, causes: [] },
  projections: [],
  health: {
    version: '1.0.0',
    audit: { state: 'whole', unverifiedCount: 0, faultCount: 0, faults: [] },
    brokenStreamCount: 0,
    brokenStreams: [],
  },
};
const pets: ProjectionState = {
  name: 'pets',
  version: 1,
  status: 'running',
  position: 9,
  behind: 0,
  behindSeconds: 0,
  secondsLeft: null,
  eventsPerSecond: null,
  owner: 'a',
  parked: 0,
  stoppedByPause: [],
  etag: '"tag"',
};
const textsOf = (state: Partial<ServiceState>): readonly string[] => findingsOf({ ...QUIET, ...state }).map(({ text }) => text);

describe('the verdict on the service', () => {
  it('is nothing if all is quiet', () => {
    expect(findingsOf(QUIET)).toEqual([]);
    expect(unknownParts(QUIET)).toEqual([]);
  });

  it('names what is stuck, with what that means and since when', () =>
    expect(findingsOf({ ...QUIET, stuck: [{ kind: 'payment-processing', count: 2, oldest: AT }] })).toMatchObject([
      { severity: 'wrong', text: '2 stuck: The payment has no outcome', since: AT, page: 'stuck', query: { kind: 'payment-processing' } },
    ]));

  it('names what is parked', () =>
    expect(
      textsOf({
        parked: {
          count: 3,
          isComplete: true,
          causes: [
            { kind: 'delivery', name: 'deliveries', cause: 'gone', count: 2 },
            { kind: 'stream', name: 'pets', cause: 'error-1', count: 1 },
          ],
        },
      }),
    ).toEqual(['deliveries has parked 2 deliveries (gone)', 'pets has parked 1 stream (error-1)']));

  it('names a server once, with every process that it does not answer', () => {
    const processes = [process('a', { servers: down('2026-01-02T03:04:04Z') }), process('b', { servers: down('2026-01-02T03:04:02Z') })];
    expect(findingsOf({ ...QUIET, processes })).toMatchObject([
      { text: 'mongodb does not answer a, b: refused', since: '2026-01-02T03:04:02Z' },
    ]);
    expect(serversOf([...processes, process('c')])).toEqual([
      { name: 'mongodb', isUp: false, since: '2026-01-02T03:04:02Z', waiting: 'refused', down: ['a', 'b'], users: 3 },
    ]);
    expect(serversOf([process('c')])).toEqual([{ name: 'mongodb', isUp: true, down: [], users: 1 }]);
  });

  it('names processes that do not report, and different versions', () =>
    expect(textsOf({ processes: [process('a'), process('b', { seenAt: '2026-01-02T03:03:30.000Z', version: '0.9.0' })] })).toEqual([
      'The process b does not report',
      'Processes run different versions: 0.9.0, 1.0.0',
    ]));

  it('names projections that are paused, differ or lag, after what is wrong', () =>
    expect(
      textsOf({
        stuck: [{ kind: 'pet-not-freed', count: 1, oldest: AT }],
        projections: [
          { ...pets, name: 'orders', pause: { since: AT, by: 'ann' }, behindSeconds: 90, stoppedByPause: ['orders do not expire'] },
          { ...pets, fill: { state: 'differs', since: AT, by: 'ann', hold: false, difference: '2 documents', position: 9 } },
          { ...pets, name: 'users', behindSeconds: 61 },
          { ...pets, name: 'payments', behindSeconds: 60 },
        ],
      }),
    ).toEqual([
      '1 stuck: The application has ended and still holds its pet',
      'The projection orders is paused by ann: orders do not expire',
      'The rebuild of pets differs from what queries read: 2 documents',
      'The projection users lags by 1 min 1 s',
    ]));

  it('names an altered log first', () => {
    const health = {
      version: '1.0.0',
      audit: { state: 'altered', unverifiedCount: 0, endedAt: AT, faultCount: 1, faults: [] },
      brokenStreamCount: 2,
      brokenStreams: [],
    } as const;
    expect(textsOf({ health, stuck: [{ kind: 'pet-not-freed', count: 1, oldest: AT }] }).map((text) => text.split(':')[0])).toEqual([
      'The log was altered',
      '2 streams are broken',
      '1 stuck',
    ]);
  });

  it('says what is unknown', () => {
    const state = { ...QUIET, stuck: null, health: null, parked: null, projections: null };
    expect(findingsOf(state)).toEqual([]);
    expect(unknownParts(state)).toEqual(['what is stuck', 'what is parked', 'projections', 'the health of the log']);
  });
});
