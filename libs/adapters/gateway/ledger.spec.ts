import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentInstrument } from '../../ports/payment-gateway.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { openSimulatedGateway, type SimulatedGateway } from './index.js';
import { SqliteLedger, type LedgerCharge } from './ledger.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gateway-ledger-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = (): SimulatedGateway =>
  openSimulatedGateway({ directory, clock: manualClock(), fingerprintKey: new Uint8Array(32), slowMilliseconds: 1 });
const card: PaymentInstrument = { object: 'card', number: '4000000000009995', cvc: 'cvc-canary', expMonth: 12, expYear: 2030 };

/** Reads every charge in the folder. */
const readCharges = (): readonly LedgerCharge[] => {
  const ledger = new SqliteLedger(directory);
  try {
    return ledger.allCharges();
  } finally {
    ledger.close();
  }
};

/** A ledger file in the format of version 1. */
const VERSION_1 = `
  CREATE TABLE instruments (reference TEXT PRIMARY KEY, outcome TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE charges (
    idempotency_key TEXT PRIMARY KEY, reference TEXT NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL, outcome TEXT NOT NULL,
    charged_at TEXT NOT NULL, refunded_at TEXT
  ) STRICT;
  INSERT INTO instruments VALUES ('pay_old', 'succeeds');
  INSERT INTO charges VALUES ('payment-1', 'pay_other', '1.00', 'USD', 'succeeded', '2026-01-01T00:00:00.000Z', NULL);
  PRAGMA user_version = 1;
`;

describe("the gateway's folder", () => {
  it('keeps instruments and charges when it is closed and opened again', async () => {
    const first = open();
    const { reference } = await first.tokenize(card, 'order-1');
    await first.charge(reference, '90.00', 'USD', 'payment-1');
    first.close();
    const second = open();
    expect(await second.charge('another reference', '1.00', 'EUR', 'payment-1')).toEqual({
      status: 'failed',
      reason: 'insufficient_funds',
    });
    expect(await second.charge(reference, '90.00', 'USD', 'payment-2')).toEqual({ status: 'failed', reason: 'insufficient_funds' });
    second.close();
    expect(readCharges().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['payment-1', 'payment-2']);
  });

  it('can be shared by two gateways, which charge each key only once', async () => {
    const [one, other] = [open(), open()];
    const { reference } = await one.tokenize({ ...card, number: '4242424242424242' }, 'order-1');
    const keys = Array.from({ length: 20 }, (_, index) => `payment-${index % 5}`);
    await Promise.all(keys.map((key, index) => (index % 2 ? one : other).charge(reference, '90.00', 'USD', key)));
    expect(readCharges()).toHaveLength(5);
    one.close();
    other.close();
  });

  it('is readable and writable only by its owner', async () => {
    const gateway = open();
    await gateway.tokenize(card, 'order-1');
    const modes = readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]);
    expect(modes).toEqual([
      ['gateway.sqlite', '600'],
      ['gateway.sqlite-shm', '600'],
      ['gateway.sqlite-wal', '600'],
    ]);
    gateway.close();
  });

  it('contains no card number and no cvc, neither while it is open nor after it is closed', async () => {
    const gateway = open();
    const instruments: PaymentInstrument[] = [card, { object: 'bank_account', number: '000111111116', sortCode: '204060' }];
    for (const instrument of instruments) {
      const { reference } = await gateway.tokenize(instrument, 'order-1');
      await gateway.charge(reference, '90.00', 'USD', reference);
    }
    const bytes = (): string =>
      readdirSync(directory)
        .map((name) => readFileSync(join(directory, name), 'latin1'))
        .join('\n');
    expect(bytes()).toContain('insufficient_funds');
    const running = bytes();
    gateway.close();
    for (const canary of ['4000000000009995', '000111111116', '204060', 'cvc-canary']) expect(running + bytes()).not.toContain(canary);
  });

  it('fails to open when a newer version wrote it', () => {
    open().close();
    const database = new DatabaseSync(join(directory, 'gateway.sqlite'));
    database.exec('PRAGMA user_version = 3');
    database.close();
    expect(open).toThrow(/written by a newer version.*start the newer version/);
  });

  it('is migrated from version 1, and does not delete its instruments, which have no purpose', async () => {
    const database = new DatabaseSync(join(directory, 'gateway.sqlite'));
    database.exec(VERSION_1);
    database.close();
    const gateway = open();
    expect(await gateway.deleteUnused(new Date('2100-01-01'), async () => false)).toBe(0);
    expect(await gateway.charge('pay_old', '90.00', 'USD', 'payment-2')).toEqual({ status: 'succeeded' });
    expect(readCharges().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['payment-1', 'payment-2']);
    gateway.close();
  });
});

/**
 * A program that makes charges with the keys 0, 1, 2, … until it is killed. It prints each key after the
 * charge has returned. Node runs the TypeScript sources directly.
 */
const CHARGING = `
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => next(name.startsWith('.') ? name.replace(/\\.js$/, '.ts') : name, context) });
  const { openSimulatedGateway } = await import(process.argv[1]);
  const clock = { now: () => new Date(), after: (milliseconds, work) => setTimeout(work, milliseconds) };
  const gateway = openSimulatedGateway({ directory: process.argv[2], clock, fingerprintKey: new Uint8Array(32) });
  const { reference } = await gateway.tokenize({ object: 'card', number: '4242424242424242', expMonth: 1, expYear: 2030 }, 'order-1');
  for (let key = 0; ; key++) {
    await gateway.charge(reference, '1.00', 'USD', String(key));
    if (!process.stdout.write(key + '\\n')) await new Promise((drained) => process.stdout.once('drain', drained));
  }
`;

describe('a gateway that is killed while it charges', () => {
  it('has stored each charge whose call returned, exactly once', async () => {
    const gateway = new URL('index.ts', import.meta.url).href;
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', CHARGING, gateway, directory]);
    const exited = once(child, 'exit');
    let returned = -1;
    for await (const line of createInterface({ input: child.stdout })) {
      returned = Number(line);
      if (returned === 50) child.kill('SIGKILL');
    }
    await exited;
    const keys = readCharges().map(({ idempotencyKey }) => Number(idempotencyKey));
    expect(returned).toBeGreaterThanOrEqual(50);
    expect(keys).toEqual(keys.map((_, index) => index));
    expect(keys.length).toBeGreaterThan(returned);
  });
});
