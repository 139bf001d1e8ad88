import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';

type Run = { readonly select: readonly string[]; readonly environment?: Readonly<Record<string, string>> };

const { PHASES } = (await import(join(ROOT, 'scripts/tests.mjs'))) as { readonly PHASES: readonly (readonly Run[])[] };

/** The contract suites, each with the specs that run it on an adapter. */
const ADAPTERS: Readonly<Record<string, readonly string[]>> = {
  blobs: ['blobs.files', 'blobs.mongodb'],
  clock: ['clock'],
  'delivery-retention': ['delivery-retention.mongodb', 'delivery-retention.sqlite'],
  'document-searches': ['documents.mongodb', 'documents.sqlite'],
  documents: ['documents.mongodb', 'documents.sqlite'],
  egress: ['egress'],
  'event-store': ['event-store.eventstoredb', 'event-store.sqlite', 'namespaces.eventstoredb'],
  ids: ['ids'],
  'key-vault': ['key-vault.mongodb', 'key-vault.sqlite'],
  'leased-documents': ['leases.mongodb'],
  leases: ['leases.mongodb'],
  messages: ['messages.kafka', 'messages.sqlite'],
  'payment-gateway': ['payment-gateway.simulated'],
  'projection-target': ['projection-target.mongodb', 'projection-target.sqlite'],
  publisher: ['publisher.kafka'],
  'rate-limit-counters': ['rate-limit-counters.mongodb'],
  'state-store': ['state-store.mongodb', 'state-store.sqlite'],
  'work-queue': ['work-queue.mongodb', 'work-queue.sqlite'],
};

/** What `npm test` always proves, and the suites that prove it. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  'an order is placed, paid, approved and shipped, and its webhooks are received': [
    'test/journeys/webhooks.spec.ts',
    'test/journeys/distributed/webhooks.spec.ts',
  ],
  'nothing acknowledged is lost by SIGKILL under load': ['test/journeys/kill.spec.ts', 'test/journeys/distributed/kills.spec.ts'],
  'tenants are separate': ['test/http/tenancy.spec.ts', 'test/http/tenant-differential.spec.ts'],
  'races have one winner': ['test/http/concurrency.spec.ts', 'test/http/hostile-races.spec.ts', 'test/http/adoption-races.spec.ts'],
  'a repeated request has one effect': ['test/http/idempotency.spec.ts', 'test/journeys/paying-again.spec.ts'],
  'an altered history is found': ['libs/audit/verify/random-edits.spec.ts', 'test/journeys/audits.spec.ts'],
  'a folder can be backed up and restored': ['libs/adapters/sqlite/folder/backup.spec.ts'],
};

const jestLists = (...args: readonly string[]): readonly string[] =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), '--listTests', ...args], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map((path) => relative(ROOT, path));

const runs = PHASES.flat();
const selected = new Map(runs.map((run) => [run, new Set(jestLists(...run.select))]));
const inAnyRun = new Set(runs.flatMap((run) => [...(selected.get(run) ?? [])]));

describe('npm test', () => {
  it('runs every contract suite on every adapter', () => {
    const folder = join(ROOT, 'test/contract');
    const suites = readdirSync(folder).flatMap((name) => /^(.*)\.contract\.ts$/.exec(name)?.[1] ?? []);
    expect(Object.keys(ADAPTERS)).toEqual(suites);
    for (const [suite, specs] of Object.entries(ADAPTERS))
      for (const name of specs) {
        expect(readFileSync(join(folder, `${name}.spec.ts`), 'utf8')).toContain(`'./${suite}.contract.js'`);
        expect(inAnyRun).toContain(`test/contract/${name}.spec.ts`);
      }
  });

  it.each(Object.entries(ALWAYS))('proves that %s', (_, paths) => {
    for (const path of paths) expect(inAnyRun).toContain(path);
  });

  it('runs the HTTP suites that depend on adapters in the distributed profile', () => {
    const distributed = runs.find(({ environment }) => environment?.['PETSTORE_TEST_PROFILE'] === 'distributed');
    const paths = distributed && selected.get(distributed);
    for (const name of ['concurrency', 'idempotency', 'orders', 'tenancy']) expect(paths).toContain(`test/http/${name}.spec.ts`);
  });
});
