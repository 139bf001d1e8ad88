import type { UserId } from '../../domain/ids.js';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import { USERS } from '../aggregates.js';
import { StateStore } from '../state/state-store.js';

/** The staff accounts that requests are about to disable, erase or deprive of the role. */
export const LEAVING_STAFF: Collection = { name: 'leaving_staff', version: 1, fields: {}, indexes: [], cells: [] };

const KEY = 'leaving';
/** Milliseconds in which the request of a leaving account has appended its event or has failed. */
const LEAVING_PERIOD = 60_000;
const PAGE = 100;

/** When each request began, by account. */
type Leaving = Readonly<Record<string, number>>;

type Ports = { readonly aggregates: Aggregates; readonly documents: Documents; readonly clock: Clock };

const isEnabledStaff = async ({ aggregates }: Ports, id: string): Promise<boolean> => {
  const { state } = await aggregates.load(USERS, id);
  return state.kind === 'registered' && state.tenant === SHARED_POOL && state.isStaff && !state.isDisabled;
};

/** Returns whether an account is enabled staff that is not in `leaving`. The read model may be behind, so the account is loaded. */
const remains = async (ports: Ports, leaving: readonly string[]): Promise<boolean> => {
  const where = { tenant: SHARED_POOL, isStaff: 1, isDisabled: 0 };
  for (let offset = 0; ; offset += PAGE) {
    const page = await ports.documents.find(USERS.projection.collection, { where, sort: [], limit: PAGE, offset });
    for (const { key } of page) if (!leaving.includes(key) && (await isEnabledStaff(ports, key))) return true;
    if (page.length < PAGE) return false;
  }
};

/** Changes the accounts that are leaving. Returns whether the change is stored: not if it is null, and not after repeated conflicts. */
const changeLeaving = async (
  { documents, clock }: Ports,
  change: (leaving: Leaving, now: number) => Promise<Leaving | null>,
): Promise<boolean> => {
  const outcome = await new StateStore<Leaving>(documents, LEAVING_STAFF).change(KEY, async (stored) => {
    const now = clock.now().getTime();
    const current = Object.entries(stored?.value ?? {}).filter(([, since]) => Math.abs(now - since) < LEAVING_PERIOD);
    const value = await change(Object.fromEntries(current), now);
    return value && { value, fields: {} };
  });
  return outcome === 'changed';
};

/**
 * Appends an event that disables an account, erases it or revokes its role, unless the account is the last enabled staff account of
 * the shared pool (contract 30.8). Of concurrent calls for the last two accounts, at most one appends its event.
 */
export const leaveStaff = async <T>(ports: Ports, userId: UserId, append: () => Promise<T>): Promise<T | Rejection<'last_staff'>> => {
  if (!(await isEnabledStaff(ports, userId))) return append();
  const mayLeave = await changeLeaving(ports, async (leaving, now) =>
    (await remains(ports, [userId, ...Object.keys(leaving)])) ? { ...leaving, [userId]: now } : null,
  );
  if (!mayLeave) return rejected('last_staff');
  const result = await append();
  // If the append fails, the entry stays for LEAVING_PERIOD, because the outcome may be unknown.
  await changeLeaving(ports, async ({ [userId]: _, ...others }) => others);
  return result;
};
