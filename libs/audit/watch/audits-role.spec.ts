import { describe, expect, it } from '@jest/globals';
import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { auditedLog, type AuditedLog } from '../audit.fixtures.js';
import type { AuditFault } from '../verify/audit-fault.js';
import { auditStateOf, readAuditRecord } from './audit-record.js';
import { startAudits, type AuditsPorts } from './audits-role.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Starts the role on a log. `stored` has the documents, which remain when the role stops. */
const startOn = (log: AuditedLog, stored = new Map<string, StoredDocument>(), change: Partial<AuditsPorts> = {}) => {
  const { clock } = log;
  const documents: AuditsPorts['documents'] = {
    get: async (_, key) => stored.get(key) ?? null,
    apply: async (writes) => {
      for (const write of writes) if (write.kind === 'put') stored.set(write.document.key, write.document);
      return undefined as never;
    },
  };
  const seen = { faults: [] as AuditFault[], broken: [] as HistoryFault[], recorded: [] as number[], errors: [] as unknown[] };
  const stop = startAudits({
    ...{ documents, clock, codec: log.codec, positions: 'without gaps', auditEveryMilliseconds: DAY },
    store: log.store,
    proofKeys: { publicKeys: async () => log.keys },
    head: () => log.events.at(-1)?.position ?? 0,
    faults: { record: (fault) => void seen.broken.push(fault) },
    onAuditFault: (fault) => void seen.faults.push(fault),
    recordAlteration: async (_, count) => void seen.recorded.push(count),
    onError: (error) => void seen.errors.push(error),
    ...change,
  });
  /** Lets the time pass in small steps, so that the pauses of an audit end. */
  const pass = async (milliseconds: number, step = milliseconds / 60): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      clock.advance(step);
      await new Promise(setImmediate);
    }
  };
  return { ...seen, stored, stop, pass, read: () => readAuditRecord(documents) };
};

const logOf = async (events: number): Promise<AuditedLog> => {
  const log = auditedLog();
  for (let left = events; left > 0; left -= 50) await log.add(`pet-${left}`, Math.min(50, left));
  await log.maker.make();
  return log;
};

const alter = (log: AuditedLog, position: number): void => {
  log.events = log.events.map((event) => (event.position === position ? { ...event, data: '{"status":"x"}' } : event));
};

/** Proves contract 35.9. */
describe('the role that audits the log', () => {
  it('verifies the whole log a minute after the first start, and then once in each interval', async () => {
    const log = await logOf(250);
    const { pass, read, stop, errors } = startOn(log);
    expect(auditStateOf(await read())).toBe('unverified');
    await pass(2 * MINUTE);
    const first = await read();
    expect(first).toMatchObject({ verified: { position: 251 }, faults: {}, first: [] });
    expect(auditStateOf(first)).toBe('whole');
    await log.add('pet-1', 1);
    await pass(DAY - 10 * MINUTE);
    expect((await read()).verified).toEqual(first.verified);
    await pass(10 * MINUTE);
    expect((await read()).verified?.position).toBe(252);
    await stop();
    expect(errors).toEqual([]);
  });

  it('does not verify again after a restart, until the interval has passed', async () => {
    const log = await logOf(10);
    const before = startOn(log);
    await before.pass(2 * MINUTE);
    await before.stop();
    const verified = (await before.read()).verified;
    const after = startOn(log, before.stored);
    await after.pass(60 * MINUTE);
    expect((await after.read()).verified).toEqual(verified);
    await after.pass(DAY);
    expect((await after.read()).verified?.time).not.toBe(verified?.time);
    await after.stop();
  });

  it('reports an alteration, keeps the last verified position, and verifies again right after a restart', async () => {
    const log = await logOf(250);
    const before = startOn(log);
    await before.pass(2 * MINUTE);
    const { verified } = await before.read();
    const intact = log.events;
    alter(log, 3);
    await before.pass(DAY);
    await before.pass(10 * MINUTE);
    await before.stop();
    expect(before.faults).toMatchObject([{ kind: 'altered', stream: 'pet-250', revision: 2 }]);
    expect(before.broken).toMatchObject([{ kind: 'altered', stream: 'pet-250', revision: 2 }]);
    expect(before.recorded).toEqual([1]);
    const record = await before.read();
    expect(record).toMatchObject({ verified, faults: { altered: 1 } });
    expect(auditStateOf(record)).toBe('altered');
    log.events = intact;
    const after = startOn(log, before.stored);
    await after.pass(2 * MINUTE);
    expect(auditStateOf(await after.read())).toBe('whole');
    await after.stop();
  });

  it('stores the first fault before an audit has ended', async () => {
    const log = await logOf(2_000);
    alter(log, 3);
    const { pass, read, stop, recorded } = startOn(log);
    await pass(MINUTE);
    await pass(8, 4);
    expect(await read()).toMatchObject({ endedAt: null, faults: { altered: 1 } });
    expect(recorded).toEqual([]);
    await stop();
  });

  it('stops during an audit, which leaves no record', async () => {
    const log = await logOf(2_000);
    const { pass, read, stop } = startOn(log);
    await pass(MINUTE);
    await stop();
    expect((await read()).endedAt).toBeNull();
  });

  it('counts all faults, and reports the first 20', async () => {
    const log = await logOf(1_500);
    for (let position = 1; position <= 1_500; position += 50) alter(log, position);
    const { pass, read, stop, faults, recorded } = startOn(log);
    await pass(10 * MINUTE);
    expect((await read()).faults).toEqual({ altered: 30 });
    expect((await read()).first).toHaveLength(20);
    expect(faults).toHaveLength(20);
    expect(recorded).toEqual([30]);
    await stop();
  });

  it('reports an event that a read model contains and the log does not', async () => {
    const missing: HistoryFault = { stream: 'pet-9', revision: 4, kind: 'altered', reason: 'event 4 is missing', tenant: null };
    async function* findMissingEvents(): AsyncGenerator<HistoryFault> {
      yield missing;
    }
    const { pass, read, stop } = startOn(await logOf(10), undefined, { findMissingEvents });
    await pass(2 * MINUTE);
    expect((await read()).first).toEqual([{ kind: 'missing', stream: 'pet-9', revision: 4, reason: 'event 4 is missing' }]);
    await stop();
  });
});
