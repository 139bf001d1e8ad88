import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type {
  ChargeOutcome,
  IdentifiedInstrument,
  KeptInstrument,
  PaymentGateway,
  PaymentInstrument,
  TokenizedInstrument,
} from '../../ports/payment-gateway.port.js';
import { cardBrand } from './card-brand.js';
import { outcomeOf } from './instrument-outcome.js';
import { Ledger, type BookedCharge, type Books, type LedgerCharge } from './ledger.js';

export type Simulation = {
  readonly clock: Clock;
  /** Keys the fingerprints: a plain hash of a card number can be reversed by trying them all. */
  readonly fingerprintKey: Uint8Array;
  /** How long the slow test card takes. */
  readonly slowMilliseconds?: number;
};

export type SimulatedGatewayOptions = Simulation & {
  /** Where the ledger lives, or `:memory:`. */
  readonly directory: string;
};

/** The gateway, and what only a simulation can show. */
export interface SimulatedGateway extends PaymentGateway {
  /** Every charge ever made, oldest first. */
  charges(): readonly LedgerCharge[];
  /** Closes the ledger; calls after it reject with StoreUnavailable. */
  close(): void;
}

const SLOW_MILLISECONDS = 3000;
const REFERENCE_BYTES = 24;
/** Digits of the milliseconds at the start of a reference, in base 36: enough for the next 3,000 years. */
const TIME_DIGITS = 9;

/** Every reference made at this time or later sorts behind it, every earlier one before it. */
const referencesFrom = (time: Date): string => `pay_${time.getTime().toString(36).padStart(TIME_DIGITS, '0')}`;

/** Numbers are written with spaces and dashes by people; they mean the same. */
const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');

/** The last four, and of an account's short number never more than half: all four of four would be the number itself. */
const shownOf = (number: string): string => number.slice(-Math.min(4, Math.floor(number.length / 2)));

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
 * Cards and banks as they behave towards a shop, without a network: what a charge comes to is written in the number.
 * The ledger keeps references and charges and never a number, so that nothing in it is worth stealing.
 */
export const simulatedGateway = (ledger: Books, simulation: Simulation): PaymentGateway => {
  const { clock, fingerprintKey, slowMilliseconds = SLOW_MILLISECONDS } = simulation;

  const identified = (instrument: PaymentInstrument): IdentifiedInstrument => {
    const number = digitsOf(instrument.number);
    const known = { fingerprint: fingerprintOf(fingerprintKey, instrument, number), last4: shownOf(number) };
    return instrument.object === 'card' ? { ...known, brand: cardBrand(number) } : known;
  };

  const tokenize = async (instrument: PaymentInstrument, purpose: string): Promise<TokenizedInstrument> => {
    const reference = referencesFrom(clock.now()) + randomBytes(REFERENCE_BYTES).toString('base64url');
    await ledger.keepInstrument({ reference, outcome: outcomeOf(instrument.object, digitsOf(instrument.number)), purpose });
    return { reference, ...identified(instrument) };
  };

  const charge = async (reference: string, amount: string, currency: string, idempotencyKey: string): Promise<ChargeOutcome> => {
    const instrument = (await ledger.instrumentOutcome(reference)) ?? 'instrument_unknown';
    if (instrument === 'succeeds_slowly' && !(await ledger.charge(idempotencyKey))) await pause(clock, slowMilliseconds);
    const outcome = instrument === 'succeeds' || instrument === 'succeeds_slowly' ? 'succeeded' : instrument;
    const chargedAt = clock.now().toISOString();
    // The first call with this key, in this process or another, made the charge that counts.
    return answerOf(await ledger.bookCharge({ idempotencyKey, reference, amount, currency, outcome, chargedAt }));
  };

  const refund = async (idempotencyKey: string): Promise<void> => {
    const charged = await ledger.charge(idempotencyKey);
    if (charged?.outcome !== 'succeeded') throw new Error(`there is no succeeded charge to refund under the key ${idempotencyKey}`);
    await ledger.bookRefund(idempotencyKey, clock.now().toISOString());
  };

  const deleteUnused: PaymentGateway['deleteUnused'] = (before, isNeeded) => deleteUnusedOf(ledger, referencesFrom(before), isNeeded);

  return { identify: async (instrument) => identified(instrument), tokenize, deleteUnused, charge, refund };
};

const SWEPT_AT_ONCE = 200;

const deleteUnusedOf = async (
  ledger: Books,
  before: string,
  isNeeded: (instrument: KeptInstrument) => Promise<boolean>,
): Promise<number> => {
  let deleted = 0;
  for (let after = await ledger.sweptUpTo(); ;) {
    const page = await ledger.instrumentsBetween(after, before, SWEPT_AT_ONCE);
    const last = page.at(-1);
    if (!last) return deleted;
    const unused: string[] = [];
    for (const { reference, purpose } of page) {
      // What an earlier version kept says not what it was for.
      if (purpose === undefined || (await ledger.isCharged(reference)) || (await isNeeded({ reference, purpose }))) continue;
      unused.push(reference);
    }
    await ledger.deleteInstruments(unused, last.reference);
    deleted += unused.length;
    after = last.reference;
  }
};

/** The simulated gateway of one folder. */
export const openSimulatedGateway = ({ directory, ...simulation }: SimulatedGatewayOptions): SimulatedGateway => {
  const ledger = new Ledger(directory);
  return { ...simulatedGateway(ledger, simulation), charges: () => ledger.charges(), close: () => ledger.close() };
};
