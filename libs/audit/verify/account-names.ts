import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { AuditFault } from './audit-fault.js';

type Names = readonly string[];

/** The events that give an account its names. */
const NAMING = new Set(['UserRegistered', 'UserRevised']);

/** Collects the names of accounts from the log, and finds names that two accounts have (contract 30.2). */
export class AccountNames {
  private readonly byAccount = new Map<string, Names>();

  /** Reads an event. Ignores events that do not change the names of accounts. */
  add({ type, stream, data }: StoredEvent): void {
    if (type === 'UserErased') this.byAccount.delete(stream);
    else if (NAMING.has(type)) this.byAccount.set(stream, namesOf(data));
  }

  /** Yields a fault for each name that two accounts have. Names are compared by their digests. */
  *faults(): Generator<AuditFault> {
    const owners = new Map<string, string>();
    for (const [stream, names] of this.byAccount)
      for (const digest of names) {
        const owner = owners.get(digest);
        if (owner !== undefined) yield { kind: 'claim', stream, reason: `${owner} and ${stream} have the same name` };
        else owners.set(digest, stream);
      }
  }
}

/** Returns the digests of the names in an event's data. Ignores unreadable data, because the check of the chain reports it. */
const namesOf = (data: string): Names => {
  try {
    const { usernameDigest, emailDigest } = JSON.parse(data) as Record<string, unknown>;
    return [usernameDigest, emailDigest].filter((digest) => typeof digest === 'string');
  } catch {
    return [];
  }
};
