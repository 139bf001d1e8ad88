import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { auditedLog, chainsOf, rewriteChain, type AuditedLog } from '../audit.fixtures.js';
import type { AuditFault } from './audit-fault.js';

/** Generates two to four rounds of appends to four streams. `signedLog` makes a checkpoint after each round. */
const rounds = fc.array(fc.array(fc.record({ stream: fc.nat(3), count: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 4 }), {
  minLength: 2,
  maxLength: 4,
});

const signedLog = async (appends: readonly (readonly { stream: number; count: number }[])[]) => {
  const log = auditedLog();
  const collected: SignedCheckpoint[] = [];
  for (const round of appends) {
    for (const { stream, count } of round) await log.add(`pet-${stream}`, count, stream === 0 ? 'tenant-a' : 'shared');
    const made = await log.maker.make();
    if (made) collected.push(made);
  }
  return { log, collected };
};

/** Numbers the positions anew from 1 on, so that no position is missing. */
const renumber = (events: readonly StoredEvent[]): StoredEvent[] => events.map((event, index) => ({ ...event, position: index + 1 }));

const flip = (text: string, at: number): string => {
  const index = at % text.length;
  return text.slice(0, index) + (text[index] === 'x' ? 'y' : 'x') + text.slice(index + 1);
};

/** Edits that an attacker who has the log and every key could make. `at` selects the place of the edit. */
const EDITS: Readonly<Record<string, (log: AuditedLog, at: number) => Promise<void> | void>> = {
  'a byte of data': (log, at) => {
    const index = at % log.events.length;
    log.events = log.events.map((event, place) => (place === index ? { ...event, data: flip(event.data, at) } : event));
  },
  'a byte of metadata': (log, at) => {
    const index = at % log.events.length;
    log.events = log.events.map((event, place) => (place === index ? { ...event, metadata: flip(event.metadata, at) } : event));
  },
  'an event dropped': (log, at) => {
    const index = at % log.events.length;
    log.events = renumber(log.events.filter((_, place) => place !== index));
  },
  'two events swapped': (log, at) => {
    const index = at % (log.events.length - 1);
    const [one, other] = [log.events[index], log.events[index + 1]];
    log.events = renumber([...log.events.slice(0, index), other, one, ...log.events.slice(index + 2)]);
  },
  'the last event of a stream dropped': (log, at) => {
    const streams = [...new Set(log.events.map(({ stream }) => stream))];
    const stream = streams[at % streams.length];
    const last = log.events.filter((event) => event.stream === stream).at(-1);
    log.events = renumber(log.events.filter((event) => event !== last));
  },
  'the tail cut': (log, at) => {
    const checkpoints = log.events.filter(({ type }) => type === 'CheckpointSigned');
    // The last checkpoint event itself is covered by no checkpoint.
    const end = log.events.indexOf(checkpoints.at(-1) as StoredEvent);
    log.events = log.events.slice(0, at % end);
  },
  'a chain rewritten to its end': async (log, at) => {
    const pets = log.events.filter(({ stream }) => stream.startsWith('pet-'));
    const { stream, revision } = pets[at % pets.length];
    await rewriteChain(log, stream, revision, () => ({ status: 'forged' }));
  },
  'the whole log rewritten and signed again': async (log, at) => {
    const pets = log.events.filter(({ stream }) => stream.startsWith('pet-'));
    const { stream, revision } = pets[at % pets.length];
    await rewriteChain(log, stream, revision, () => ({ status: 'forged' }));
    log.events = renumber(log.events.filter((event) => event.stream !== 'checkpoint'));
    await log.newMaker().make();
  },
};

/** Returns whether a fault names the stream and revision of one of the events, or a range with the number of the edit. */
const locates =
  (number: number, events: readonly (StoredEvent | undefined)[]) =>
  ({ stream, revision, range }: AuditFault): boolean =>
    range ? range.from <= number && number <= range.to : events.some((event) => event?.stream === stream && event?.revision === revision);

describe('an audit against collected checkpoints (contract 35.4)', () => {
  it('finds each of 1,000 random edits, and names its stream and revision, or a range that contains it', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, fc.constantFrom(...Object.keys(EDITS)), fc.nat(10_000), async (appends, name, at) => {
        const { log, collected } = await signedLog(appends);
        const before = log.events.slice(0, collected.at(-1)?.checkpoint.size);
        await EDITS[name]?.(log, at);
        const edited = before.findIndex((event, index) => JSON.stringify(event) !== JSON.stringify(log.events[index]));
        // Skips edits after the last collected checkpoint, because an audit finds them only if they break a chain.
        fc.pre(edited >= 0);
        const { faults } = await log.verify(collected, at % 2 === 0 ? {} : { startChains: chainsOf(log) });
        expect([name, faults, faults.some(locates(edited + 1, [before[edited], log.events[edited]]))]).toEqual([name, faults, true]);
      }),
      { numRuns: 1_000, seed: 35 },
    );
  });

  it('finds no fault in 100 unaltered logs', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (appends) => {
        const { log, collected } = await signedLog(appends);
        await log.add('pet-9', 1);
        expect((await log.verify(collected)).faults).toEqual([]);
      }),
      { numRuns: 100, seed: 36 },
    );
  });
});
