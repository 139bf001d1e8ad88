import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/** Milliseconds after which an unused link expires (contract 43.11). */
const LIFETIME = 600_000;
const SECRET_BYTES = 32;
const KEY_BYTES = 32;

/**
 * The one-time link of this process. It keeps no secret, only the HMAC of it under a key that exists only here. The memory of the process
 * therefore contains nothing with which the link could be used.
 */
export class ConsoleLinks {
  private readonly key: Uint8Array;
  private unused: { readonly digest: Buffer; readonly until: number } | null = null;

  constructor(
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly randomBytes: (size: number) => Uint8Array,
  ) {
    this.key = randomBytes(KEY_BYTES);
  }

  /** Returns the secret of a new link, which replaces the earlier one. */
  create(): string {
    const secret = Buffer.from(this.randomBytes(SECRET_BYTES)).toString('base64url');
    this.unused = { digest: this.digestOf(secret), until: this.clock.elapsed() + LIFETIME };
    return secret;
  }

  /**
   * Uses the link up, and returns whether the secret was right. Nothing else runs between the check and the use, so one of many
   * requests at the same time gets true. The time of the comparison does not depend on the secret.
   */
  use(secret: string): boolean {
    const { unused } = this;
    if (unused && this.clock.elapsed() >= unused.until) this.unused = null;
    if (!this.unused || !timingSafeEqual(this.unused.digest, this.digestOf(secret))) return false;
    this.unused = null;
    return true;
  }

  private digestOf(secret: string): Buffer {
    return createHmac('sha256', this.key).update(secret).digest();
  }
}
