import { createHmac, randomBytes as cryptoRandomBytes } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type {
  ChargeOutcome,
  IdentifiedInstrument,
  StoredInstrument,
  PaymentGateway,
  PaymentInstrument,
  TokenizedInstrument,
} from '../../ports/payment-gateway.port.js';
import type { BookedCharge, PaymentLedger } from '../../ports/payment-ledger.port.js';
import { cardBrand } from './card-brand.js';
import { outcomeOf } from './instrument-outcome.js';

/** The dependencies of a simulated gateway, beside its ledger. */
type SimulationOptions = {
  readonly clock: Clock;
  /** The HMAC key of fingerprints: a hash without a key would reveal the card number to brute force. */
  readonly fingerprintKey: Uint8Array;
  /** The duration of a charge on the slow test card. Default: 3 s (contract 15.12). */
  readonly slowMilliseconds?: number | undefined;
  /** A deterministic run passes its own. */
  readonly randomBytes?: (size: number) => Uint8Array;
};

const SLOW_MILLISECONDS = 3000;
const REFERENCE_BYTES = 24;
/** The number of digits of the time in a reference: milliseconds in base 36. Nine digits suffice until the year 5188. */
const TIME_DIGITS = 9;

/**
 * Returns the prefix of the references that are created at `time`. The prefix sorts after all earlier references, and
 * before all references from `time` on.
 */
const referencePrefixAt = (time: Date): string => `pay_${time.getTime().toString(36).padStart(TIME_DIGITS, '0')}`;

/** Removes the spaces and dashes that people write in numbers. */
const digitsOf = (number: string): string => number.replace(/[\s-]/g, '');

/** Returns the last four digits, but at most half of the number: four digits would reveal too much of a short number. */
const lastDigitsOf = (number: string): string => number.slice(-Math.min(4, Math.floor(number.length / 2)));

const fingerprintOf = (key: Uint8Array, instrument: PaymentInstrument, number: string): string => {
  const sortCode = instrument.object === 'bank_account' ? digitsOf(instrument.sortCode ?? '') : '';
  return createHmac('sha256', key)
    .update(JSON.stringify([instrument.object, number, sortCode]))
    .digest('base64url');
};

const chargeOutcomeOf = ({ outcome }: BookedCharge): ChargeOutcome =>
  outcome === 'succeeded' ? { status: 'succeeded' } : { status: 'failed', reason: outcome };

const pause = (clock: Clock, milliseconds: number): Promise<void> => new Promise((resolve) => clock.after(milliseconds, resolve));

/**
 * Creates a gateway that simulates cards and banks: the number of a card or account decides the outcome of a
 * charge. The ledger stores no numbers.
 */
export const simulatedGateway = (ledger: PaymentLedger, simulation: SimulationOptions): PaymentGateway => {
  const { clock, fingerprintKey, slowMilliseconds = SLOW_MILLISECONDS, randomBytes = cryptoRandomBytes } = simulation;

  const identify = (instrument: PaymentInstrument): IdentifiedInstrument => {
    const number = digitsOf(instrument.number);
    const identified = { fingerprint: fingerprintOf(fingerprintKey, instrument, number), last4: lastDigitsOf(number) };
    return instrument.object === 'card' ? { ...identified, brand: cardBrand(number) } : identified;
  };

  const tokenize = async (instrument: PaymentInstrument, purpose: string): Promise<TokenizedInstrument> => {
    const reference = referencePrefixAt(clock.now()) + Buffer.from(randomBytes(REFERENCE_BYTES)).toString('base64url');
    await ledger.addInstrument({ reference, outcome: outcomeOf(instrument.object, digitsOf(instrument.number)), purpose });
    return { reference, ...identify(instrument) };
  };

  const charge = async (reference: string, amount: string, currency: string, idempotencyKey: string): Promise<ChargeOutcome> => {
    const instrumentOutcome = (await ledger.instrumentOutcome(reference)) ?? 'instrument_unknown';
    // A repeated call does not wait again.
    if (instrumentOutcome === 'succeeds_slowly' && !(await ledger.findCharge(idempotencyKey))) await pause(clock, slowMilliseconds);
    const isSuccess = instrumentOutcome === 'succeeds' || instrumentOutcome === 'succeeds_slowly';
    const outcome = isSuccess ? 'succeeded' : instrumentOutcome;
    const chargedAt = clock.now().toISOString();
    // If a concurrent call with the same key, perhaps in another process, stored its charge first, that charge is returned.
    return chargeOutcomeOf(await ledger.bookCharge({ idempotencyKey, reference, amount, currency, outcome, chargedAt }));
  };

  const refund = async (idempotencyKey: string): Promise<void> => {
    const charged = await ledger.findCharge(idempotencyKey);
    if (charged?.outcome !== 'succeeded') throw new Error(`there is no succeeded charge with the key ${idempotencyKey} to refund`);
    await ledger.bookRefund(idempotencyKey, clock.now().toISOString());
  };

  const deleteUnused: PaymentGateway['deleteUnused'] = (before, isNeeded) => sweepUnused(ledger, referencePrefixAt(before), isNeeded);

  return { identify: async (instrument) => identify(instrument), tokenize, deleteUnused, charge, refund };
};

const SWEEP_PAGE_SIZE = 200;

/**
 * Deletes the instruments with references before `before` that are neither charged nor needed. Returns the number of
 * deleted instruments.
 */
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
      // An instrument from version 1 of the ledger has no purpose. It is kept, because it may be needed.
      if (purpose === undefined || (await ledger.isCharged(reference)) || (await isNeeded({ reference, purpose }))) continue;
      unused.push(reference);
    }
    await ledger.deleteInstruments(unused, last.reference);
    deleted += unused.length;
    after = last.reference;
  }
};
