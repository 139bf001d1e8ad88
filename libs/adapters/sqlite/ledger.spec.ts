import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BookedCharge, LedgerCharge } from '../../ports/payment-ledger.port.js';
import { openLedger, type OpenLedger } from './ledger.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = (): OpenLedger => openLedger(directory);
const charge = (idempotencyKey: string, reference = 'pay_1'): BookedCharge => ({
  ...{ idempotencyKey, reference, amount: '90.00', currency: 'USD', outcome: 'insufficient_funds' },
  chargedAt: '2026-01-02T03:04:05.678Z',
});

/** Reads every charge in the folder. */
const readCharges = async (): Promise<readonly LedgerCharge[]> => {
  const ledger = open();
  try {
    return await ledger.allCharges();
  } finally {
    await ledger.close();
  }
};
const readKeys = async (): Promise<readonly string[]> => (await readCharges()).map(({ idempotencyKey }) => idempotencyKey);

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

describe('the ledger of a folder', () => {
  it('keeps instruments and charges when it is closed and opened again', async () => {
    const first = open();
    await first.addInstrument({ reference: 'pay_1', outcome: 'insufficient_funds', purpose: 'order-1' });
    await first.bookCharge(charge('payment-1'));
    await first.bookRefund('payment-1', '2026-01-03T00:00:00.000Z');
    await first.bookRefund('payment-1', '2026-01-04T00:00:00.000Z');
    await first.close();
    const second = open();
    expect(await second.instrumentOutcome('pay_1')).toBe('insufficient_funds');
    expect(await second.bookCharge({ ...charge('payment-1'), outcome: 'succeeded' })).toMatchObject({ outcome: 'insufficient_funds' });
    expect(await second.findCharge('payment-1')).toEqual({ ...charge('payment-1'), refundedAt: '2026-01-03T00:00:00.000Z' });
    await second.close();
  });

  it('can be shared by two processes, which book each charge only once', async () => {
    const [one, other] = [open(), open()];
    const keys = Array.from({ length: 20 }, (_, index) => `payment-${index % 5}`);
    await Promise.all(keys.map((key, index) => (index % 2 ? one : other).bookCharge(charge(key))));
    await Promise.all([one.close(), other.close()]);
    expect((await readKeys()).toSorted()).toEqual(['payment-0', 'payment-1', 'payment-2', 'payment-3', 'payment-4']);
  });

  it('is readable and writable only by its owner', async () => {
    const ledger = open();
    await ledger.addInstrument({ reference: 'pay_1', outcome: 'succeeds' });
    const modes = readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]);
    expect(modes).toEqual([
      ['gateway.sqlite', '600'],
      ['gateway.sqlite-shm', '600'],
      ['gateway.sqlite-wal', '600'],
    ]);
    await ledger.close();
  });

  it('fails to open when a newer version wrote it, or when a table is missing', async () => {
    const change = async (sql: string): Promise<void> => {
      await open().close();
      const database = new DatabaseSync(join(directory, 'gateway.sqlite'));
      database.exec(sql);
      database.close();
    };
    await change('PRAGMA user_version = 3');
    expect(open).toThrow(/written by a newer version.*start the newer version/);
    rmSync(join(directory, 'gateway.sqlite'));
    await change('DROP TABLE charges');
    expect(open).toThrow('no such table: charges');
  });

  it('is migrated from version 1, whose instruments have no purpose', async () => {
    const database = new DatabaseSync(join(directory, 'gateway.sqlite'));
    database.exec(VERSION_1);
    database.close();
    const ledger = open();
    expect(await ledger.instrumentsBetween('', 'z', 10)).toEqual([{ reference: 'pay_old', outcome: 'succeeds' }]);
    expect([await ledger.sweptUpTo(), await ledger.isCharged('pay_other'), await ledger.isCharged('pay_old')]).toEqual(['', true, false]);
    await ledger.bookCharge(charge('payment-2'));
    await ledger.deleteInstruments(['pay_old'], 'pay_old');
    expect([await ledger.sweptUpTo(), await ledger.instrumentOutcome('pay_old')]).toEqual(['pay_old', undefined]);
    await ledger.close();
    expect(await readKeys()).toEqual(['payment-1', 'payment-2']);
  });

  it('rejects with StoreUnavailable after it is closed', async () => {
    const ledger = open();
    await Promise.all([ledger.close(), ledger.close()]);
    for (const call of [
      ledger.addInstrument({ reference: 'pay_1', outcome: 'succeeds' }),
      ledger.bookCharge(charge('k')),
      ledger.findCharge('k'),
    ])
      await expect(call).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });
});

/**
 * A program that books charges with the keys 0, 1, 2, … until it is killed. It prints each key after the charge is booked. Node
 * runs the TypeScript sources directly.
 */
const BOOKING = `
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => next(name.startsWith('.') ? name.replace(/\\.js$/, '.ts') : name, context) });
  const { openLedger } = await import(process.argv[1]);
  const ledger = openLedger(process.argv[2]);
  for (let key = 0; ; key++) {
    await ledger.bookCharge({ idempotencyKey: String(key), reference: 'r', amount: '1.00', currency: 'USD', outcome: 'succeeded', chargedAt: '' });
    if (!process.stdout.write(key + '\\n')) await new Promise((drained) => process.stdout.once('drain', drained));
  }
`;

describe('a process that is killed while it books charges', () => {
  it('has stored each charge whose call returned, exactly once', async () => {
    const ledger = new URL('ledger.ts', import.meta.url).href;
    const options = ['--no-warnings', '--experimental-transform-types', '--input-type=module'];
    const child = spawn(process.execPath, [...options, '-e', BOOKING, ledger, directory]);
    const exited = once(child, 'exit');
    let returned = -1;
    for await (const line of createInterface({ input: child.stdout })) {
      returned = Number(line);
      if (returned === 50) child.kill('SIGKILL');
    }
    await exited;
    const keys = (await readKeys()).map(Number);
    expect(returned).toBeGreaterThanOrEqual(50);
    expect(keys).toEqual(keys.map((_, index) => index));
    expect(keys.length).toBeGreaterThan(returned);
  });
});
