import { createHash } from 'node:crypto';
import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { auditedLog, testKey, type AuditedLog } from '../audit.fixtures.js';
import { ExportBuilder, type ExportState } from './export-builder.js';
import { planExport, positionOf } from './export-plan.js';
import { signManifest } from '../proof/signing.js';
import type { ExportManifest, ExportScope } from './manifest.js';
import { verifyExport, type VerifiedExport } from './verify-export.js';

const EVERYTHING: ExportScope = { from: null, to: null, tenant: null, stream: null };

/** The texts of the two files of an export. */
export type Export = { readonly events: string; readonly manifest: string };

/** Creates a log with three rounds of events of two tenants, a minute apart. A checkpoint follows each round. */
export const signedLog = async (): Promise<AuditedLog> => {
  const log = auditedLog();
  for (const round of [1, 2, 3]) {
    await log.add('pet-1', 3);
    await log.add('pet-2', round, 'tenant-b');
    await log.add('pet-3', 1);
    await log.maker.make();
    log.clock.advance(60_000);
  }
  return log;
};

/** Exports a log in pages of `page` events. Between two pages, the state of the export is converted to JSON and back. */
export const exportLog = async (log: AuditedLog, scope: Partial<ExportScope>, page = 1_000): Promise<Export> => {
  const parts = { store: log.store, codec: log.codec, ownKeys: log.keys };
  const plan = await planExport(parts, { ...EVERYTHING, ...scope });
  if (!plan) throw new Error('there is no checkpoint');
  const start = await positionOf(parts, plan.base);
  let builder = new ExportBuilder(plan, start);
  let events = '';
  while (!builder.isComplete) {
    const stored = await log.store.readAll(builder.readTo, page);
    events += builder.add(stored);
    const state = builder.state();
    if (state) builder = new ExportBuilder(plan, start, JSON.parse(JSON.stringify(state)) as ExportState);
  }
  return { events, manifest: signManifest(testKey(1), { ...builder.finish(), digest: digestOf(events) }) };
};

/** Verifies an export with the keys of the log. */
export const verify = (log: AuditedLog, { events, manifest }: Export, collected: readonly SignedCheckpoint[] = []): VerifiedExport =>
  verifyExport({ manifest, chunks: [Buffer.from(events)], keys: log.keys, collected });

/** Returns the statement in a manifest. */
export const statementOf = ({ manifest }: Export): ExportManifest =>
  (JSON.parse(manifest) as { readonly manifest: ExportManifest }).manifest;

/** Returns the time of an event by its number. */
export const timeOf = (log: AuditedLog, number: number): string =>
  (JSON.parse(log.events[number - 1]?.metadata ?? '{}') as { readonly time: string }).time;

/** Signs changed events and a changed statement, as someone who has the key could. */
export const signAgain = (events: string, { keyId: _, version: __, ...statement }: ExportManifest): Export => {
  const count = events.split('\n').length - 1;
  return { events, manifest: signManifest(testKey(1), { ...statement, count, digest: digestOf(events) }) };
};

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
