import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type {
  AddedKeyTerms,
  KeyCopy,
  KeyLookup,
  KeyVault,
  PersonalKeyList,
  ServiceKey,
  ServiceKeyList,
} from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { Link } from '../link.js';

type StoredServiceKey = Omit<ServiceKey, 'waits'>;
type ListedPersonalKey = { readonly name: string; readonly isDestroyed: boolean };

const KEY_BYTES = 32;

/** Stores keys. Creates them with `random`, which returns a number from 0 to 1, excluding 1. */
export class KeyServer {
  private readonly service = new Map<string, StoredServiceKey>();
  /** The keys of persons. A destroyed key is null, so that no other is created. */
  private readonly personal = new Map<string, Uint8Array | null>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly random: () => number,
  ) {}

  serviceKey(name: string, createdAt: Date = this.clock.now()): Uint8Array {
    let stored = this.service.get(name);
    if (!stored) this.service.set(name, (stored = { name, key: this.newKey(), createdAt, requests: [] }));
    return stored.key;
  }

  personalKey(subject: string): Uint8Array | null {
    let key = this.personal.get(subject);
    if (key === undefined) this.personal.set(subject, (key = this.newKey()));
    return key;
  }

  destroyPersonalKey(subject: string): void {
    this.personal.set(subject, null);
  }

  serviceKeys(): readonly ServiceKey[] {
    const now = this.clock.now().getTime();
    return [...this.service.values()]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map((stored) => ({ ...stored, waits: Math.max(0, (stored.activatesAt?.getTime() ?? 0) - now) }));
  }

  removeServiceKey(name: string): void {
    this.service.delete(name);
  }

  /** Returns true also for a repeated call with the same key, because the response to the first call may have been lost. */
  addServiceKey(name: string, key: Uint8Array, { wait, notBefore, request }: AddedKeyTerms = {}): boolean {
    const now = this.clock.now().getTime();
    const stored = this.service.get(name);
    if (stored) return Buffer.compare(stored.key, key) === 0;
    this.service.set(name, {
      ...{ name, key, createdAt: new Date(Math.max(now, notBefore?.getTime() ?? now)) },
      ...(wait !== undefined && { activatesAt: new Date(now + wait) }),
      requests: request === undefined ? [] : [request],
    });
    return true;
  }

  activateServiceKey(name: string, request: string): void {
    const now = this.clock.now();
    const stored = this.service.get(name);
    if (stored?.activatesAt && stored.activatesAt > now)
      this.service.set(name, { ...stored, activatesAt: now, requests: [...stored.requests, request] });
  }

  personalKeys(): readonly ListedPersonalKey[] {
    return [...this.personal].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, key]) => ({ name, isDestroyed: key === null }));
  }

  lookUp(kind: KeyCopy['kind'], name: string): Uint8Array | null | undefined {
    return kind === 'service' ? this.service.get(name)?.key : this.personal.get(name);
  }

  private newKey(): Uint8Array {
    return Uint8Array.from({ length: KEY_BYTES }, () => Math.floor(this.random() * 256));
  }
}

/** Returns the keys as one process uses them. Nothing is cached, so that a destroyed key is unusable at once. */
export const simulatedKeys = (server: KeyServer, link: Link): KeyVault & ServiceKeyList & PersonalKeyList & KeyLookup => ({
  serviceKey: (name, createdAt) => link(`get the key ${name}`, () => server.serviceKey(name, createdAt)),
  personalKey: (subject) => link(`get the key of ${subject}`, () => server.personalKey(subject)),
  destroyPersonalKey: (subject) => link(`destroy the key of ${subject}`, () => server.destroyPersonalKey(subject)),
  serviceKeys: () => link('list the keys of the service', () => server.serviceKeys()),
  removeServiceKey: (name) => link(`remove the key ${name}`, () => server.removeServiceKey(name)),
  addServiceKey: (name, key, terms) => link(`add the key ${name}`, () => server.addServiceKey(name, key, terms)),
  activateServiceKey: (name, request) => link(`activate the key ${name}`, () => server.activateServiceKey(name, request)),
  async *personalKeys() {
    yield* await link('list the keys of persons', () => server.personalKeys());
  },
  lookUp: (kind, name) => link(`look up the ${kind} key ${name}`, () => server.lookUp(kind, name)),
});
