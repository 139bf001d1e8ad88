import { describe, expect, it } from '@jest/globals';
import type { CheckpointEvent, SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import type { AuditedLog } from '../audit.fixtures.js';
import { bytesOf, textOf } from '../proof/primitives.js';
import { nextTenantHash } from '../proof/log-digest.js';
import { exportedEvent, leafOf, type ExportedEvent } from './exported-event.js';
import { exportLog, signAgain, signedLog, statementOf, timeOf, verify } from './export.fixtures.js';
import type { ExportManifest, ExportScope, TenantProof } from './manifest.js';
import { SparseTree } from './sparse-tree.js';

/** The content of an export, which its signer chooses. */
type Shown = { readonly lines: readonly ExportedEvent[]; readonly statement: ExportManifest };

const eventAt = (log: AuditedLog, number: number): ExportedEvent => {
  const event = exportedEvent(log.events[number - 1], number);
  if (!event) throw new Error(`event ${number} is altered`);
  return event;
};

const linesOf = (log: AuditedLog, events: string): readonly ExportedEvent[] =>
  events
    .split('\n')
    .slice(0, -1)
    .map((line) => eventAt(log, (JSON.parse(line) as ExportedEvent).number));

/** Creates a valid tree proof of the content, so that only the other checks can find the lie. */
const proveTree = (log: AuditedLog, { lines, statement }: Shown): Shown => {
  const { eventBefore, eventAfter, cover } = statement;
  const numbers = new Set([eventBefore, ...lines, eventAfter].map((event) => event?.number));
  const tree = SparseTree.ofHashes(0, []);
  for (let number = 1; number <= cover.checkpoint.size; number++) tree.add(leafOf(eventAt(log, number)), numbers.has(number));
  return { lines, statement: { ...statement, proof: { nodes: tree.finish().nodes } } };
};

const checkpointsOf = (log: AuditedLog): readonly SignedCheckpoint[] =>
  log.events
    .filter(({ stream }) => stream === 'checkpoint')
    .map(({ data }) => JSON.parse(data) as CheckpointEvent['data'])
    .map(({ checkpoint, signature }) => ({ checkpoint, signature }));

const faultsOf = async (scope: Partial<ExportScope>, lie: (log: AuditedLog, shown: Shown) => Shown): Promise<readonly string[]> => {
  const log = await signedLog();
  const made = await exportLog(log, { from: timeOf(log, 5), to: timeOf(log, 14), ...scope });
  const { lines, statement } = lie(log, { lines: linesOf(log, made.events), statement: statementOf(made) });
  const { faults } = verify(log, signAgain(lines.map((line) => `${canonicalJson(line)}\n`).join(''), statement));
  return faults.map(({ reason }) => reason);
};

const withStatement =
  (change: (statement: ExportManifest, lines: readonly ExportedEvent[]) => Partial<ExportManifest>) =>
  (_: AuditedLog, { lines, statement }: Shown): Shown => ({ lines, statement: { ...statement, ...change(statement, lines) } });

/** The lies are in exports of all events or of one stream. Each of these exports has a valid signature. */
describe('the verification of an export whose signer may lie (contract 35.6)', () => {
  it('finds no fault if the export is true', async () => {
    expect(await faultsOf({}, proveTree)).toEqual([]);
    expect(await faultsOf({ stream: 'pet-1' }, proveTree)).toEqual([]);
  });

  it.each([
    ['a later begin', withStatement((_, lines) => ({ from: lines.at(-1)?.metadata.time ?? '' })), /do not begin/],
    ['an earlier end', withStatement((_, [first]) => ({ to: first?.metadata.time ?? '' })), /do not end/],
    ['another store', withStatement(() => ({ store: 'other' })), /another store/],
    [
      'a checkpoint that is not signed',
      withStatement(({ cover }) => ({ cover: { ...cover, signature: 'AAAA' } })),
      /its signature is not valid/,
    ],
    [
      'one hash too many',
      withStatement(({ proof }) => ({ proof: { nodes: [...(proof as { nodes: string[] }).nodes, 'AAAA'] } })),
      /not those/,
    ],
    [
      'a missing event',
      (log: AuditedLog, { lines, statement }: Shown) => proveTree(log, { lines: lines.toSpliced(1, 1), statement }),
      /event \d+ of the log is missing/,
    ],
    [
      'a hidden end',
      (log: AuditedLog, { lines, statement }: Shown) =>
        proveTree(log, { lines: lines.slice(0, -1), statement: { ...statement, eventAfter: null } }),
      /events are missing after event \d+/,
    ],
    [
      'a first checkpoint after the begin of the range',
      (log: AuditedLog, { lines, statement: { eventBefore, ...statement } }: Shown) => {
        const base = checkpointsOf(log)[0];
        const first = base.checkpoint.size + 1;
        const before = Array.from({ length: (lines[0]?.number ?? 0) - first }, (_, index) => eventAt(log, first + index));
        const from = new Date(Date.parse(base.checkpoint.time) - 1).toISOString();
        return proveTree(log, { lines: [...before, ...lines], statement: { ...statement, base, eventBefore: null, from } });
      },
      /the range begins before its first checkpoint/,
    ],
    [
      'changed data of an event',
      (_: AuditedLog, { lines, statement }: Shown) => ({
        lines: lines.map((line, index) => (index === 1 ? { ...line, data: { status: 'forged' } } : line)),
        statement,
      }),
      /does not match its hash/,
    ],
  ])('finds a lie about all events: %s', async (_, lie, reason) => {
    expect(await faultsOf({}, lie)).toContainEqual(expect.stringMatching(reason));
  });

  it('finds the rewritten hash of an event', async () => {
    const rewritten = async (scope: Partial<ExportScope>) =>
      faultsOf(scope, (_, { lines, statement }) => {
        const last = lines.at(-1) as ExportedEvent;
        return { lines: [...lines.slice(0, -1), { ...last, metadata: { ...last.metadata, hash: 'forged' } }], statement };
      });
    for (const scope of [{}, { stream: 'pet-1' }])
      expect(await rewritten(scope)).toContain('its events are not those that the checkpoint covers');
  });

  it('finds lies about a stream: a missing event, an event of another stream, and checkpoints in the wrong order', async () => {
    const missing = await faultsOf({ stream: 'pet-1', from: null, to: null }, (log, { lines, statement }) =>
      proveTree(log, { lines: lines.toSpliced(1, 1), statement }),
    );
    expect(missing).toContainEqual(expect.stringMatching(/does not follow event/));
    const other = await faultsOf({ stream: 'pet-3' }, (log, { lines, statement }) =>
      proveTree(log, { lines, statement: { ...statement, stream: 'pet-4' } }),
    );
    expect(other).toContainEqual(expect.stringMatching(/belongs to another stream/));
    const order = await faultsOf({ stream: 'pet-3', to: null }, (log, { statement }) => {
      const [cover, base] = checkpointsOf(log) as [SignedCheckpoint, SignedCheckpoint];
      return proveTree(log, { lines: [], statement: { ...statement, base, cover, from: '9999' } });
    });
    expect(order).toEqual(['its checkpoints are not in order']);
  });

  it('finds a lie about a tenant: events of another tenant', async () => {
    const faults = await faultsOf(
      { tenant: 'shared' },
      withStatement(() => ({ tenant: 'tenant-b' })),
    );
    expect(faults).toContainEqual(expect.stringMatching(/belongs to another tenant/));
  });

  it('finds a lie about a tenant: an event that is hidden in the start hash of the proof', async () => {
    const faults = await faultsOf({ tenant: 'shared' }, (_, { lines, statement }) => {
      const { count, hash, leavesBefore } = statement.proof as TenantProof;
      const hidden = [...leavesBefore.map(bytesOf), ...(statement.eventBefore ? [leafOf(statement.eventBefore)] : [])];
      const all = [...hidden, leafOf(lines[0])];
      const start = textOf(all.reduce((now, leaf) => nextTenantHash(now, leaf), bytesOf(hash)));
      const proof = { ...(statement.proof as TenantProof), count: count + all.length, hash: start, leavesBefore: [] };
      return { lines: lines.slice(1), statement: { ...statement, eventBefore: null, proof } };
    });
    expect(faults).toEqual(['its events are not those that the checkpoint covers']);
  });
});
