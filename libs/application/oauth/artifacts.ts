import { createHmac } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents, UseLimit } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { StateStore, type StoredEntry } from '../state/state-store.js';
import { ARTIFACTS, REFRESH_USES } from './collections.js';
import { openJson, sealJson } from './sealed-json.js';

/** What the authorization server stores for a code, a token or a grant. Each artifact has a secret name, such as its code. */
export type Artifact = Readonly<Record<string, unknown>> & {
  readonly grantId?: string | undefined;
  readonly consumed?: unknown;
  /** The key of the refresh token whose use gave this one. */
  readonly parent?: unknown;
};

/** The properties of the stored entry of an artifact. */
export type ArtifactTerms = {
  /** A second name by which the entry is found, such as a user code. */
  readonly lookup?: string;
  /** The name of the refresh token whose use gave this one. */
  readonly parent?: string;
  /** In seconds since 1970. The entry is deleted after this time. */
  readonly expiresAt: number;
};

type StoredArtifact = { readonly sealed: string };
type Found = { readonly artifact: Artifact; readonly entry: StoredEntry<StoredArtifact> };

/**
 * How often a refresh token may be used: an answer can be lost, and two tabs can refresh at once. Each use gives another token
 * (contract 32.2).
 */
const REFRESH_LIMIT: UseLimit = { times: 5, milliseconds: 10_000 };

/** The minimum time between two deletions of expired entries. */
const SWEEP_MILLISECONDS = 60_000;

/**
 * Stores the codes, tokens and grants of the authorization server (contract 32.5). The key of an entry is a keyed digest of
 * its secret name, and its content is encrypted. So a stolen copy of the database has no usable token.
 */
export class Artifacts {
  private sweptAt = 0;

  private readonly contentKey: Uint8Array;
  private readonly store: StateStore<StoredArtifact>;
  private readonly refreshUses: StateStore<object>;

  private constructor(
    documents: Documents,
    private readonly key: Uint8Array,
    private readonly clock: Clock,
  ) {
    this.contentKey = createHmac('sha256', key).update('content').digest();
    this.store = new StateStore(documents, ARTIFACTS);
    this.refreshUses = new StateStore(documents, REFRESH_USES);
  }

  /** Returns the store of the entries. Their digests and their encryption use the service key `oauth-storage`. */
  static async open(documents: Documents, keys: KeyVault, clock: Clock): Promise<Artifacts> {
    return new Artifacts(documents, await keys.serviceKey('oauth-storage'), clock);
  }

  /** Stores or replaces an entry. An entry that was consumed before stays consumed. Throws after repeated conflicts. */
  async put(kind: string, name: string, artifact: Artifact, { lookup, parent, expiresAt }: ArtifactTerms): Promise<void> {
    await this.deleteExpired();
    const key = this.digest(kind, name);
    const fields = {
      grantId: kind === 'Grant' ? name : (artifact.grantId ?? null),
      lookup: lookup === undefined ? null : this.digest(`${kind} lookup`, lookup),
      expiresAt,
    };
    const outcome = await this.store.change(key, (stored) => {
      const consumed = (stored && this.open(stored).consumed) ?? artifact.consumed;
      const more = { ...(consumed !== undefined && { consumed }), ...(parent !== undefined && { parent: this.digest(kind, parent) }) };
      return { value: this.seal(key, { ...artifact, ...more }), fields };
    });
    if (outcome === 'contended') throw contended(kind);
  }

  /** Returns an entry, or null. */
  async find(kind: string, name: string): Promise<Artifact | null> {
    return (await this.read(this.digest(kind, name)))?.artifact ?? null;
  }

  /** Returns the entry with this second name, or null. */
  async findByLookup(kind: string, lookup: string): Promise<Artifact | null> {
    const where = { lookup: this.digest(`${kind} lookup`, lookup) };
    const [entry] = await this.store.find(where, { sort: [], limit: 1, offset: 0 });
    return entry ? this.open(entry) : null;
  }

  /**
   * Marks an entry as used. Returns false if the entry is already used or missing. Of several concurrent calls, at most one
   * returns true.
   */
  async consume(kind: string, name: string): Promise<boolean> {
    return this.update(kind, name, (artifact) => (artifact.consumed === undefined ? { ...artifact, consumed: this.seconds() } : null));
  }

  /**
   * Counts a use of a refresh token. Returns false if REFRESH_LIMIT is exceeded, or if the token that one of the uses gave was used:
   * its client has then received an answer, so the sender is somebody else. Also returns false for a missing token.
   */
  async useRefreshToken(kind: string, name: string): Promise<boolean> {
    const key = this.digest(kind, name);
    const found = await this.read(key);
    if (!found) return false;
    const { artifact, entry } = found;
    // An earlier version marks a used token only as consumed, and such a token is not used again.
    if (artifact.consumed !== undefined && !(await this.refreshUses.get(key))) return false;
    const { grantId = null, expiresAt = null } = entry.fields;
    const count = await this.refreshUses.use({ key, value: {}, fields: { grantId, expiresAt } }, REFRESH_LIMIT);
    if (count === null) return false;
    // Repeated at each use, because the process of the first one may have ended before.
    await this.markConsumed(kind, key);
    if (typeof artifact.parent === 'string') await this.endUses(artifact.parent);
    return true;
  }

  /** Marks a refresh token as used for earlier versions, which may run beside this one. */
  private async markConsumed(kind: string, key: string): Promise<void> {
    const outcome = await this.store.change(key, (stored) => {
      const artifact = stored && this.open(stored);
      if (!artifact || artifact.consumed !== undefined) return null;
      return { value: this.seal(key, { ...artifact, consumed: this.seconds() }), fields: stored.fields };
    });
    if (outcome === 'contended') throw contended(kind);
  }

  /** Lets a refresh token have no more uses. */
  private async endUses(key: string): Promise<void> {
    const outcome = await this.refreshUses.change(key, (stored) =>
      stored && stored.fields['uses'] !== REFRESH_LIMIT.times
        ? { value: stored.value, fields: { ...stored.fields, uses: REFRESH_LIMIT.times } }
        : null,
    );
    if (outcome === 'contended') throw contended('refresh token');
  }

  /**
   * Changes an entry, unless `change` returns null. Returns whether this call changed the entry. Changes nothing if the entry is
   * missing, or if another call changes it at the same time.
   */
  async update(kind: string, name: string, change: (artifact: Artifact) => Artifact | null): Promise<boolean> {
    const key = this.digest(kind, name);
    const stored = await this.read(key);
    const changed = stored && change(stored.artifact);
    return changed ? this.store.put({ ...stored.entry, value: this.seal(key, changed) }, stored.entry.version) : false;
  }

  /** Deletes an entry. A repeated call does nothing. */
  async remove(kind: string, name: string): Promise<void> {
    await this.store.delete(this.digest(kind, name));
  }

  /** Deletes a grant and all its codes and tokens. */
  async removeGrant(grantId: string): Promise<void> {
    for (const store of [this.store, this.refreshUses]) await store.deleteWhere({ grantId });
  }

  /** Deletes the expired entries, unless this process has done so within the last minute. */
  private async deleteExpired(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.sweptAt < SWEEP_MILLISECONDS) return;
    this.sweptAt = now;
    for (const store of [this.store, this.refreshUses]) await store.deleteWhere({ expiresAt: { to: this.seconds() } });
  }

  private async read(key: string): Promise<Found | null> {
    const entry = await this.store.get(key);
    return entry && { artifact: this.open(entry), entry };
  }

  private open({ key, value }: StoredEntry<StoredArtifact>): Artifact {
    return openJson(this.contentKey, key, value.sealed) as Artifact;
  }

  private seal(key: string, artifact: Artifact): StoredArtifact {
    return { sealed: sealJson(this.contentKey, key, artifact) };
  }

  private digest(kind: string, name: string): string {
    return createHmac('sha256', this.key).update(`${kind}\n${name}`).digest('base64url');
  }

  private seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

const contended = (kind: string): Error => new Error(`could not store an entry of kind ${kind}: gave up after repeated conflicts`);
