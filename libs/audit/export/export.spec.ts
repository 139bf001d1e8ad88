import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rewriteChain, testKey, type AuditedLog } from '../audit.fixtures.js';
import { ExportFailed } from './export-builder.js';
import { exportLog, signedLog, statementOf, timeOf, verify, type Export } from './export.fixtures.js';
import type { ExportScope } from './manifest.js';

const numbersOf = ({ events }: Export): readonly number[] =>
  events
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly number: number }).number);

/** Scopes. Their ranges begin and end at an event, between two events, before the first event, or after the last event. */
const scopes = fc.record({
  from: fc.option(fc.integer({ min: -1, max: 260 })),
  length: fc.option(fc.integer({ min: 1, max: 260 })),
  only: fc.constantFrom<Partial<ExportScope>>({}, { tenant: 'tenant-b' }, { tenant: 'shared' }, { stream: 'pet-1' }, { stream: 'pet-2' }),
});

const scopeOf = (log: AuditedLog, { from, length, only }: { from: number | null; length: number | null; only: Partial<ExportScope> }) => {
  const first = Date.parse(timeOf(log, 1));
  const end = log.clock.now().getTime();
  const at = (seconds: number): string => new Date(Math.min(first + seconds * 1_000, end)).toISOString();
  const scope = { ...only, from: from === null ? null : at(from), to: length === null ? null : at((from ?? 0) + length) };
  return scope.from !== null && scope.from === scope.to ? { ...scope, to: null } : scope;
};

describe('an export (contract 35.5)', () => {
  it('has the events of the range, and is whole', async () => {
    const log = await signedLog();
    const made = await exportLog(log, { from: timeOf(log, 4), to: timeOf(log, 12) });
    expect(numbersOf(made)).toEqual([4, 5, 6, 7, 8, 9, 10, 11].filter((number) => timeOf(log, number) < timeOf(log, 12)));
    expect(verify(log, made)).toMatchObject({ faults: [], statement: { count: numbersOf(made).length } });
  });

  it('has exactly the events of its scope and is whole, for random scopes', async () => {
    const log = await signedLog();
    log.clock.advance(60_000);
    await log.add('pet-9', 1);
    await log.maker.make();
    await fc.assert(
      fc.asyncProperty(scopes, async (given) => {
        const scope = scopeOf(log, given);
        const made = await exportLog(log, scope);
        const cover = statementOf(made).cover.checkpoint.size;
        const expected = log.events.slice(0, cover).flatMap(({ stream, metadata }, index) => {
          const { time, tenant } = JSON.parse(metadata) as { readonly time: string; readonly tenant: string };
          const isIn = (scope.from === null || time >= scope.from) && (scope.to === null || time < scope.to);
          const isOwn = (given.only.tenant ?? tenant) === tenant && (given.only.stream ?? stream) === stream;
          return isIn && isOwn ? [index + 1] : [];
        });
        expect(numbersOf(made)).toEqual(expected);
        expect(verify(log, made).faults).toEqual([]);
        expect(await exportLog(log, scope, 1)).toEqual(made);
      }),
      { numRuns: 300, seed: 35 },
    );
  });

  it('of a range that has ended is the same after more events', async () => {
    const log = await signedLog();
    const range = { from: timeOf(log, 2), to: timeOf(log, 10) };
    const scopesOfRange = [range, { ...range, tenant: 'tenant-b' }, { ...range, stream: 'pet-1' }];
    const before = await Promise.all(scopesOfRange.map((scope) => exportLog(log, scope)));
    await log.add('pet-1', 5);
    await log.add('pet-2', 5, 'tenant-b');
    await log.maker.make();
    expect(await Promise.all(scopesOfRange.map((scope) => exportLog(log, scope)))).toEqual(before);
  });

  it('is the same in a copy of the log with other positions', async () => {
    const log = await signedLog();
    const scope = { from: timeOf(log, 8) };
    const made = await exportLog(log, scope);
    log.events = log.events.map((event) => ({ ...event, position: event.position * 100 }));
    expect(await exportLog(log, scope)).toEqual(made);
  });

  it('is not made of an altered log', async () => {
    const log = await signedLog();
    await rewriteChain(log, 'pet-1', 4, () => ({ status: 'forged' }));
    await expect(exportLog(log, {})).rejects.toThrow(ExportFailed);
    log.events = log.events.map((event) => (event.position === 2 ? { ...event, data: '{"status":"x"}' } : event));
    await expect(exportLog(log, {})).rejects.toThrow('event 1 of pet-1 does not match its hash');
  });

  it('is not made of a log with a forged checkpoint', async () => {
    const log = await signedLog();
    await log.add('pet-1', 1);
    await log.newMaker(testKey(2)).make();
    await expect(exportLog(log, {})).rejects.toThrow('is not among the known public keys');
  });
});
