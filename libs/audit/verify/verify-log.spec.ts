import { describe, expect, it } from '@jest/globals';
import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { auditedLog, rewriteChain, testKey, type AuditedLog } from '../audit.fixtures.js';

/** Creates a log with two streams and two tenants. Returns it with its two checkpoints. */
const signedLog = async (): Promise<{ readonly log: AuditedLog; readonly collected: readonly SignedCheckpoint[] }> => {
  const log = auditedLog();
  const collected: SignedCheckpoint[] = [];
  for (const round of [1, 2]) {
    await log.add('pet-1', 3);
    await log.add('pet-2', round, 'tenant-b');
    const made = await log.maker.make();
    if (made) collected.push(made);
  }
  return { log, collected };
};

describe('an audit of a log (contract 35.4)', () => {
  it('finds no fault in an unaltered log, and counts the events that no checkpoint covers', async () => {
    const { log, collected } = await signedLog();
    await log.add('pet-3', 2);
    expect(await log.verify(collected)).toEqual({ from: 0, events: 13, unsigned: 2, matched: 10, faults: [] });
  });

  it('finds an altered event by stream and revision', async () => {
    const { log, collected } = await signedLog();
    log.events = log.events.map((event) => (event.position === 2 ? { ...event, data: '{"status":"x"}' } : event));
    expect((await log.verify(collected)).faults).toMatchObject([{ kind: 'altered', stream: 'pet-1', revision: 1 }]);
  });

  it('finds a chain that is rewritten with new hashes, by range', async () => {
    const { log, collected } = await signedLog();
    await rewriteChain(log, 'pet-1', 4, () => ({ status: 'forged' }));
    expect((await log.verify(collected)).faults).toMatchObject([
      { kind: 'rewritten', range: { from: 5, to: 10 }, reason: expect.stringContaining('in the log') },
      { kind: 'rewritten', range: { from: 5, to: 10 }, reason: expect.stringContaining('collected elsewhere') },
    ]);
  });

  it('needs a collected checkpoint to find a log that is rewritten and signed again', async () => {
    const { log, collected } = await signedLog();
    await rewriteChain(log, 'pet-1', 0, () => ({ status: 'forged' }));
    log.events = log.events.filter(({ stream }) => stream !== 'checkpoint').map((event, index) => ({ ...event, position: index + 1 }));
    await log.newMaker().make();
    expect((await log.verify()).faults).toEqual([]);
    expect((await log.verify(collected)).faults).toMatchObject([{ kind: 'rewritten', range: { from: 1, to: 4 } }]);
  });

  it('finds a rewritten log although its own checkpoints were added to the collected ones', async () => {
    const { log, collected } = await signedLog();
    const [first] = collected;
    await rewriteChain(log, 'pet-1', 0, () => ({ status: 'forged' }));
    const isCovered = ({ stream, position }: { readonly stream: string; readonly position: number }): boolean =>
      stream !== 'checkpoint' && position <= (first?.checkpoint.size ?? 0);
    log.events = log.events.filter(isCovered);
    const forged = await log.newMaker().make();
    const copies = [...collected.slice(0, 1), ...(forged ? [forged] : [])];
    expect(copies.map(({ checkpoint }) => checkpoint.size)).toEqual([4, 4]);
    expect((await log.verify(copies)).faults).toMatchObject([{ kind: 'rewritten', range: { from: 1, to: 4 } }]);
  });

  it('finds missing events at the end', async () => {
    const { log, collected } = await signedLog();
    log.events = log.events.slice(0, 7);
    expect((await log.verify(collected)).faults).toMatchObject([{ kind: 'missing', range: { from: 8, to: 10 } }]);
  });

  it('finds a missing event in the middle', async () => {
    const { log, collected } = await signedLog();
    log.events = log.events.filter(({ position }) => position !== 4);
    expect((await log.verify(collected)).faults.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['missing', 'rewritten']));
  });

  it('finds a checkpoint that another key has signed', async () => {
    const { log } = await signedLog();
    await log.add('pet-1', 1);
    await log.newMaker(testKey(2)).make();
    expect((await log.verify()).faults).toMatchObject([{ kind: 'checkpoint', stream: 'checkpoint', revision: 2 }]);
  });

  it('finds a time that goes back', async () => {
    const { log } = await signedLog();
    const early = log.events.filter(({ position }) => position <= 3);
    log.events = [...log.events, ...early.map((event, index) => ({ ...event, position: log.events.length + 1 + index }))];
    expect((await log.verify()).faults.map(({ kind }) => kind)).toContain('time');
  });
});

describe('the times of a log (contract 35.4)', () => {
  it('may go back before the first checkpoint, because earlier versions did not keep their order', async () => {
    const log = auditedLog();
    await log.add('pet-1', 1);
    log.clock.set(log.clock.now().getTime() - 60_000);
    await log.add('pet-1', 1);
    await log.maker.make();
    expect((await log.verify()).faults).toEqual([]);
    log.clock.set(log.clock.now().getTime() - 60_000);
    await log.add('pet-1', 1);
    expect((await log.verify()).faults).toMatchObject([{ kind: 'time', stream: 'pet-1', revision: 2 }]);
  });
});

describe('a maker of checkpoints (contract 35.1)', () => {
  it('gives a checkpoint the time of the last checkpoint if the clock is behind that time', async () => {
    const { log, collected } = await signedLog();
    await log.add('pet-1', 1);
    const before = collected[1]?.checkpoint.time;
    log.clock.set(Date.parse(before ?? '') - 60_000);
    expect((await log.maker.make())?.checkpoint.time).toBe(before);
  });

  it('makes no checkpoint if the only new event is the last checkpoint itself', async () => {
    const { log } = await signedLog();
    expect(await log.maker.make()).toBeNull();
    expect(await log.newMaker().make()).toBeNull();
  });

  it('continues in another process, and reads a copy of the log with other positions from the start', async () => {
    const { log, collected } = await signedLog();
    await log.add('pet-1', 1);
    const third = await log.newMaker().make();
    expect(third?.checkpoint).toMatchObject({ index: 2, size: 12 });
    log.events = log.events.map((event) => ({ ...event, position: event.position * 100 }));
    await log.add('pet-4', 1);
    const fourth = await log.newMaker().make();
    expect(fourth?.checkpoint).toMatchObject({ index: 3, size: 14 });
    log.events = log.events.map((event, index) => ({ ...event, position: index + 1 }));
    expect((await log.verify([...collected, third, fourth].filter((one) => one !== null && one !== undefined))).faults).toEqual([]);
  });

  it('makes no checkpoint if another process has covered the new events meanwhile', async () => {
    const { log } = await signedLog();
    const [one, other] = [log.newMaker(), log.newMaker()];
    await log.add('pet-1', 1);
    await Promise.all([one.readNewEvents(), other.readNewEvents()]);
    expect((await one.make())?.checkpoint.index).toBe(2);
    expect(await other.make()).toBeNull();
    expect((await log.verify()).faults).toEqual([]);
  });
});
