import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type {
  ChargeOutcome,
  IdentifiedInstrument,
  StoredInstrument,
  PaymentGateway,
  PaymentInstrument,
  TokenizedInstrument,
} from '../../ports/payment-gateway.port.js';
import { cardBrand } from './card-brand.js';
import { outcomeOf } from './instrument-outcome.js';
import { SqliteLedger, type BookedCharge, type PaymentLedger } from './ledger.js';

export type SimulationOptions = {
  readonly clock: Clock;
  /** Keys the fingerprints: a plain hash of a card number can be reversed by brute force. */
  readonly fingerprintKey: Uint8Array;
  /** The duration of a charge on the slow test card. */
  readonly slowMilliseconds?: number;
};

export type SimulatedGatewayOptions = SimulationOptions & {
  /** The folder of the ledger, or `:memory:`. */
  readonly directory: string;
};

/** The gateway, with what only a simulation can expose. */
export interface SimulatedGateway extends PaymentGateway {
  /** Closes the ledger; calls after it reject with StoreUnavailable. */
  close(): void;
}

const SLOW_MILLISECONDS = 3000;
const REFERENCE_BYTES = 24;
/** Digits of the milliseconds at the start of a reference, in base 36: enough for 3,000 years. */
const TIME_DIGITS = 9;

/** References created at this time or later sort after it, earlier ones before it. */
const referencesFrom = (time: Date): string => `pay_${time.getTime().toString(36).padStart(TIME_DIGITS, '0')}`;

/** People write numbers with spaces and dashes. */
const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');

/** The last four digits, but at most half of a short account number: four of four would reveal all of it. */
const lastDigitsOf = (number: string): string => number.slice(-Math.min(4, Math.floor(number.length / 2)));

const fingerprintOf = (key: Uint8Array, instrument: PaymentInstrument, number: string): string => {
  const sortCode = instrument.object === 'bank_account' ? digitsOf(instrument.sortCode ?? '') : '';
  return createHmac('sha256', key)
    .update(JSON.stringify([instrument.object, number, sortCode]))
    .digest('base64url');
};

const answerOf = ({ outcome }: BookedCharge): ChargeOutcome =>
  outcome === 'succeeded' ? { status: 'succeeded' } : { status: 'failed', reason: outcome };

const pause = (clock: Clock, milliseconds: number): Promise<void> => new Promise((resolve) => clock.after(milliseconds, resolve));

/**
 * Simulates cards and banks without a network: the number decides the outcome of a charge.
 * The ledger stores references and charges but no numbers, so its content is of no value to a thief.
 */
export const simulatedGateway = (ledger: PaymentLedger, simulation: SimulationOptions): PaymentGateway => {
  const { clock, fingerprintKey, slowMilliseconds = SLOW_MILLISECONDS } = simulation;

  const identify = (instrument: PaymentInstrument): IdentifiedInstrument => {
    const number = digitsOf(instrument.number);
    const known = { fingerprint: fingerprintOf(fingerprintKey, instrument, number), last4: lastDigitsOf(number) };
    return instrument.object === 'card' ? { ...known, brand: cardBrand(number) } : known;
  };

  const tokenize = async (instrument: PaymentInstrument, purpose: string): Promise<TokenizedInstrument> => {
    const reference = referencesFrom(clock.now()) + randomBytes(REFERENCE_BYTES).toString('base64url');
    await ledger.addInstrument({ reference, outcome: outcomeOf(instrument.object, digitsOf(instrument.number)), purpose });
    return { reference, ...identify(instrument) };
  };

  const charge = async (reference: string, amount: string, currency: string, idempotencyKey: string): Promise<ChargeOutcome> => {
    const instrument = (await ledger.instrumentOutcome(reference)) ?? 'instrument_unknown';
    if (instrument === 'succeeds_slowly' && !(await ledger.charge(idempotencyKey))) await pause(clock, slowMilliseconds);
    const outcome = instrument === 'succeeds' || instrument === 'succeeds_slowly' ? 'succeeded' : instrument;
    const chargedAt = clock.now().toISOString();
    // Another call with this key, in this process or another, may have booked first: its charge counts.
    return answerOf(await ledger.bookCharge({ idempotencyKey, reference, amount, currency, outcome, chargedAt }));
  };

  const refund = async (idempotencyKey: string): Promise<void> => {
    const charged = await ledger.charge(idempotencyKey);
    if (charged?.outcome !== 'succeeded') throw new Error(`no succeeded charge with the key ${idempotencyKey} to refund`);
    await ledger.bookRefund(idempotencyKey, clock.now().toISOString());
  };

  const deleteUnused: PaymentGateway['deleteUnused'] = (before, isNeeded) => sweepUnused(ledger, referencesFrom(before), isNeeded);

  return { identify: async (instrument) => identify(instrument), tokenize, deleteUnused, charge, refund };
};

const SWEEP_PAGE_SIZE = 200;

const sweepUnused = async (
  ledger: PaymentLedger,
  before: string,
  isNeeded: (instrument: StoredInstrument) => Promise<boolean>,
): Promise<number> => {
  let deleted = 0;
  for (let after = await ledger.sweptUpTo(); ;) {
    const page = await ledger.instrumentsBetween(after, before, SWEEP_PAGE_SIZE);
    const last = page.at(-1);
    if (!last) return deleted;
    const unused: string[] = [];
    for (const { reference, purpose } of page) {
      // Instruments of an earlier version have no purpose: nobody can decide whether they are needed.
      if (purpose === undefined || (await ledger.isCharged(reference)) || (await isNeeded({ reference, purpose }))) continue;
      unused.push(reference);
    }
    await ledger.deleteInstruments(unused, last.reference);
    deleted += unused.length;
    after = last.reference;
  }
};

/** Opens the simulated gateway of a folder. */
export const openSimulatedGateway = ({ directory, ...simulation }: SimulatedGatewayOptions): SimulatedGateway => {
  const ledger = new SqliteLedger(directory);
  return { ...simulatedGateway(ledger, simulation), close: () => ledger.close() };
};
