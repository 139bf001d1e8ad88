import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { testKey } from '../audit.fixtures.js';
import { exportedEvent, leafOf, readLine, type ExportedEvent } from './exported-event.js';
import { exportLog, signAgain, signedLog, statementOf, timeOf, verify, type Export } from './export.fixtures.js';
import { signManifest } from '../proof/signing.js';
import type { ExportManifest, ExportScope } from './manifest.js';

const eventsOf = ({ events }: Export): readonly ExportedEvent[] =>
  events.split('\n').flatMap((line) => (line === '' ? [] : [readLine(line)].filter((event) => event !== null)));
const textOf = (events: readonly ExportedEvent[]): string => events.map((event) => `${canonicalJson(event)}\n`).join('');
const leafTextOf = (event: ExportedEvent): string => Buffer.from(leafOf(event)).toString('base64url');

const exportOf = async (scope: Partial<ExportScope>) => {
  const log = await signedLog();
  // The range begins and ends between two events of each tenant.
  const made = await exportLog(log, { from: timeOf(log, 5), to: timeOf(log, 14), ...scope });
  return { log, made, events: eventsOf(made), statement: statementOf(made) };
};

const SCOPES: readonly Partial<ExportScope>[] = [{}, { tenant: 'shared' }, { stream: 'pet-1' }];

describe('the verification of an export (contract 35.6)', () => {
  it.each(SCOPES)('finds each changed byte of both files of %j', async (scope) => {
    const { log, made } = await exportOf(scope);
    fc.assert(
      fc.property(fc.constantFrom('events', 'manifest'), fc.nat(), fc.integer({ min: 1, max: 127 }), (file, at, change) => {
        const text = Buffer.from(made[file]);
        const index = at % text.length;
        text[index] = (text[index] ?? 0) ^ change;
        expect(verify(log, { ...made, [file]: text.toString('latin1') }).faults).not.toEqual([]);
      }),
      { numRuns: 500, seed: 35 },
    );
  });

  it('compares the number of lines with the number in the manifest', async () => {
    const { log, made, statement } = await exportOf({});
    const manifest = signManifest(testKey(1), { ...statement, count: 99 });
    expect(verify(log, { ...made, manifest }).faults).toEqual([
      { place: 'events.ndjson', reason: expect.stringContaining('instead of 99') },
    ]);
  });

  it('names the line of a changed event', async () => {
    const { log, made } = await exportOf({});
    const events = made.events.replace('"status":"s0"', '"status":"s9"');
    expect(verify(log, { ...made, events }).faults).toEqual([
      { place: expect.stringMatching(/^events.ndjson, line \d$/), reason: 'it does not match its hash' },
      { place: 'events.ndjson', reason: 'its digest differs from the digest in the manifest' },
    ]);
  });

  it('finds a changed last character of the signature that decodes to the same bytes', async () => {
    const { log, made } = await exportOf({});
    const manifest = made.manifest.replace(
      /(.)("\}\n)$/,
      (_, last: string, end: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}${end}`,
    );
    expect(verify(log, { ...made, manifest }).faults).toEqual([{ place: 'manifest.json', reason: 'its signature is not valid' }]);
  });

  it('rejects an export that is signed with an unknown key', async () => {
    const { log, made } = await exportOf({});
    const other = testKey(2);
    const keys = new Map([[other.keyId, createPublicKey(other.privateKey)]]);
    expect(verify({ ...log, keys }, made)).toMatchObject({
      statement: null,
      faults: [{ reason: expect.stringContaining('is not among the known public keys') }],
    });
  });

  it('compares the checkpoints with those that were collected elsewhere', async () => {
    const { log, made, statement } = await exportOf({});
    const { cover } = statement;
    expect(verify(log, made, [cover])).toMatchObject({ compared: 1, faults: [] });
    const other = { ...cover, checkpoint: { ...cover.checkpoint, size: 1 } };
    expect(verify(log, made, [other]).faults).toEqual([
      { place: `checkpoint ${cover.checkpoint.index}`, reason: 'it differs from the one that was collected elsewhere' },
    ]);
  });
});

/** Omits an event from an export, as someone who has the signing key could. Returns the changed events and statement. */
type Omission = (events: readonly ExportedEvent[], statement: ExportManifest) => readonly [readonly ExportedEvent[], ExportManifest];

const hide = (statement: ExportManifest, where: 'leavesBefore' | 'leavesAfter', event: ExportedEvent): ExportManifest => {
  if (!('leavesAfter' in statement.proof)) return statement;
  const leaves = statement.proof[where];
  const added = where === 'leavesBefore' ? [...leaves, leafTextOf(event)] : [leafTextOf(event), ...leaves];
  return { ...statement, proof: { ...statement.proof, [where]: added } };
};
const last = (events: readonly ExportedEvent[]): ExportedEvent => events.at(-1) as ExportedEvent;

const OMISSIONS: Readonly<Record<string, Omission>> = {
  'an event in the middle': (events, statement) => [events.toSpliced(1, 1), statement],
  'the first event': (events, statement) => [events.slice(1), statement],
  'the last event': (events, statement) => [events.slice(0, -1), statement],
  'the first event, shown as the one before the range': ([first, ...events], statement) => [
    events,
    { ...(statement.eventBefore ? hide(statement, 'leavesBefore', statement.eventBefore) : statement), eventBefore: first ?? null },
  ],
  'the last event, shown as the one after the range': (events, statement) => [
    events.slice(0, -1),
    { ...(statement.eventAfter ? hide(statement, 'leavesAfter', statement.eventAfter) : statement), eventAfter: last(events) },
  ],
  'the last event, hidden with the one after the range': (events, statement) => [
    events.slice(0, -1),
    {
      ...hide(statement.eventAfter ? hide(statement, 'leavesAfter', statement.eventAfter) : statement, 'leavesAfter', last(events)),
      eventAfter: null,
    },
  ],
  'the end of the range': (events, statement) => [events, { ...statement, to: null }],
  'the begin of the range': (events, statement) => [events, { ...statement, from: null }],
};

describe('the verification of an export that is changed and signed again (contract 35.6)', () => {
  it.each(SCOPES.slice(0, 2).flatMap((scope) => Object.keys(OMISSIONS).map((name) => [scope, name] as const)))(
    'finds in %j the omission of %s',
    async (scope, name) => {
      const { log, events, statement } = await exportOf(scope);
      const [others, changed] = OMISSIONS[name](events, statement);
      expect(verify(log, signAgain(textOf(others), changed)).faults).not.toEqual([]);
    },
  );

  it('finds the omission of an event in the middle of a stream', async () => {
    const { log, events, statement } = await exportOf({ stream: 'pet-1', to: null });
    expect(verify(log, signAgain(textOf(events), statement)).faults).toEqual([]);
    expect(verify(log, signAgain(textOf(events.toSpliced(1, 1)), statement)).faults).not.toEqual([]);
  });

  it('finds an event that is rewritten with a new hash', async () => {
    const { log, events, statement } = await exportOf({ tenant: 'shared' });
    const [{ id, type, stream, revision, number, metadata }] = events as [ExportedEvent];
    const forged = await log.codec.encode(
      stream,
      { revision: revision === 0 ? 'none' : revision - 1, hash: metadata.previousHash },
      [{ type, data: { status: 'forged' } }],
      { tenant: 'shared', actor: 'test', correlationId: 'c', causationId: 'c' },
    );
    const event = exportedEvent({ ...forged.encoded[0], id: forged.encoded[0]?.id ?? id, stream, revision, position: 1 }, number);
    const faults = verify(log, signAgain(textOf([event as ExportedEvent, ...events.slice(1)]), statement)).faults;
    expect(faults).toEqual([{ place: 'events.ndjson', reason: expect.any(String) }]);
  });
});
