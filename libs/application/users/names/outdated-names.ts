import type { UserId } from '../../../domain/ids.js';
import type { UserNames } from '../../../domain/users/user.events.js';
import { aggregateIdOf } from '../../../eventsourcing/message.js';
import type { EventStore, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../../eventsourcing/ports/key-vault.port.js';
import { openAccount } from '../open-account.js';
import type { NameDigests, PlainNames } from './name-digests.js';

/** An account that claimed a name in a form that names no longer have. */
export type OutdatedName = {
  readonly userId: UserId;
  readonly tenant: string;
  readonly names: PlainNames;
  /** The other account that uses the same name now, or null. */
  readonly sameAs: UserId | null;
};

type SearchPorts = {
  readonly log: Pick<EventStore, 'readAll'>;
  readonly keys: KeyVault;
  readonly digests: NameDigests;
  /** Returns the account that has claimed a name, or null. */
  readonly holderOf: (name: keyof UserNames, digest: string) => Promise<UserId | null>;
};

/** Number of events that are read at a time. */
const PAGE = 1_000;
const DIGESTS = ['usernameDigest', 'emailDigest'] as const;

/** Reads the whole log and returns the accounts whose stored digests are not the digests of their names (contract 30.2). */
export const findOutdatedNames = async (ports: SearchPorts): Promise<readonly OutdatedName[]> => {
  const outdated = new Map<UserId, Outdated>();
  for await (const { stream, type, data, metadata } of accountEvents(ports.log)) {
    const userId = aggregateIdOf(stream) as UserId;
    if (type === 'UserErased') outdated.delete(userId);
    if (type !== 'UserRegistered' && type !== 'UserRevised') continue;
    const opened = await openAccount(ports.keys, data);
    if (opened === null) continue;
    const stored = JSON.parse(opened) as UserNames & PlainNames;
    const { tenant } = JSON.parse(metadata) as { readonly tenant: string };
    const current = ports.digests.of(tenant, stored);
    if (DIGESTS.every((name) => stored[name] === current[name])) outdated.delete(userId);
    else outdated.set(userId, { tenant, stored, current });
  }
  const found: OutdatedName[] = [];
  const accountsOf = Map.groupBy(
    [...outdated].flatMap(([userId, { current }]) => DIGESTS.map((name) => ({ userId, key: `${name} ${current[name]}` }))),
    ({ key }) => key,
  );
  for (const [userId, { tenant, stored, current }] of outdated)
    for (const name of DIGESTS.filter((one) => stored[one] !== current[one])) {
      const other = accountsOf.get(`${name} ${current[name]}`)?.find((account) => account.userId !== userId)?.userId;
      const { username, email } = stored;
      found.push({ userId, tenant, names: { username, email }, sameAs: other ?? (await ports.holderOf(name, current[name])) });
    }
  return found;
};

type Outdated = { readonly tenant: string; readonly stored: UserNames & PlainNames; readonly current: UserNames };

async function* accountEvents(log: SearchPorts['log']): AsyncGenerator<StoredEvent> {
  for (let position = 0; ;) {
    const events = await log.readAll(position, PAGE);
    yield* events.filter(({ stream }) => stream.startsWith('user-'));
    const last = events.at(-1);
    if (!last) return;
    ({ position } = last);
  }
}
