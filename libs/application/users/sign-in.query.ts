import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PasswordHasher } from '../../ports/password-hasher.port.js';
import type { ResultOf } from '../request.js';
import { AGGREGATES, CLOCK, DOCUMENTS, KEY_VAULT, PASSWORD_HASHER } from '../tokens.js';
import { Credentials } from './credentials.js';
import { NameClaims } from './name-claims.js';
import { createNameDigests } from './name-digests.js';

/** Checks a username and a password in one tenant. Returns the id of the account, or null. */
export class CheckPassword extends Query<string | null> {
  constructor(
    readonly username: string,
    readonly password: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(CheckPassword)
export class CheckPasswordHandler implements IQueryHandler<CheckPassword> {
  private readonly claims: NameClaims;
  private readonly credentials: Credentials;

  constructor(
    @Inject(AGGREGATES) aggregates: Aggregates,
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(PASSWORD_HASHER) private readonly passwords: PasswordHasher,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
    this.credentials = new Credentials(documents);
  }

  /** An unknown name costs the same reads and a hash, so that the time does not reveal which names exist (contract 30.7). */
  async execute({ username, password, tenant }: CheckPassword): Promise<ResultOf<CheckPassword>> {
    const digest = (await createNameDigests(this.keys)).username(tenant, username);
    const userId = await this.claims.userOf(digest);
    const hash = await this.credentials.passwordHash(userId ?? digest);
    return (await this.passwords.verify(password, hash)) ? userId : null;
  }
}
