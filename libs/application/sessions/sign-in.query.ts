import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { UserId } from '../../domain/ids.js';
import { Aggregates } from '../../eventsourcing/aggregates.js';
import { Clock } from '../../eventsourcing/ports/clock.port.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { PasswordHasher } from '../../ports/password-hasher.port.js';
import type { ResultOf } from '../request.js';
import { Credentials } from '../users/credentials.js';
import { NameClaims, type FoundAccount } from '../users/names/name-claims.js';
import { createNameDigests } from '../users/names/name-digests.js';
import { SignInAttempts } from './sign-in-attempts.js';

/** An account whose password was checked. */
export type CheckedAccount = {
  readonly kind: 'correct';
  readonly userId: UserId;
  readonly isStaff: boolean;
  /** The revision of the account's stream at which its password was checked. */
  readonly revision: number;
};

/** The result of checking a password. `wrong` does not say whether the account exists or is disabled. */
export type PasswordCheck =
  CheckedAccount | { readonly kind: 'wrong' } | { readonly kind: 'too-many-attempts'; readonly retrySeconds: number };

/** Checks a username and a password in one tenant. `network` is the network that the attempt comes from. */
export class CheckPassword extends Query<PasswordCheck> {
  constructor(
    readonly username: string,
    readonly password: string,
    readonly tenant: string,
    readonly network: string,
  ) {
    super();
  }
}

@QueryHandler(CheckPassword)
export class CheckPasswordHandler implements IQueryHandler<CheckPassword> {
  private readonly claims: NameClaims;
  private readonly credentials: Credentials;

  constructor(
    aggregates: Aggregates,
    documents: Documents,
    private readonly keys: KeyVault,
    private readonly passwords: PasswordHasher,
    clock: Clock,
    @Inject(SignInAttempts) private readonly attempts: Pick<SignInAttempts, 'begin'>,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
    this.credentials = new Credentials(documents);
  }

  /** Reads and hashes equally much for an unknown name, so that the time does not reveal which names exist (contract 30.7). */
  async execute({ username, password, tenant, network }: CheckPassword): Promise<ResultOf<CheckPassword>> {
    const digests = await createNameDigests(this.keys);
    const digest = digests.username(tenant, username);
    const found = await this.claims.accountOf(digest);
    const account = found?.userId ?? digest;
    const attempt = await this.attempts.begin(account, digests.network(account, network));
    if (typeof attempt === 'number') return { kind: 'too-many-attempts', retrySeconds: attempt };
    // The account's state names the valid hash. If the password changes now, this sign-in has an earlier revision than the
    // change, and the change ends the tokens of the sign-in.
    const hash = await this.credentials.passwordHash(found?.userId ?? digest, found?.account.credentialId ?? null);
    const verification = await this.passwords.verify(password, hash);
    if (verification === 'wrong' || !found || found.account.isDisabled) {
      await attempt.fail();
      return { kind: 'wrong' };
    }
    if (verification === 'outdated') await this.renewHash(password, found);
    await attempt.succeed();
    return { kind: 'correct', userId: found.userId, isStaff: found.account.isStaff, revision: found.revision };
  }

  private async renewHash(password: string, { userId, account }: FoundAccount): Promise<void> {
    const hash = await this.passwords.hash(password);
    await this.credentials.replacePasswordHash(userId, account.credentialId, hash);
  }
}
