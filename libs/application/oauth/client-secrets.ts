import { createHmac } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Identities } from '../identities.js';
import type { RequestContext, ResultOf } from '../request.js';
import { CLOCK, DOCUMENTS, IDENTITIES, KEY_VAULT } from '../tokens.js';
import { clientView, digestSecret, isSecretValid, OAuthClients, type StoredClient } from './clients.js';

/** Returns a secret of a client. The first one has the number 0, and each rotation the next number. */
export const secretOf = async (keys: KeyVault, id: string, number = 0): Promise<string> =>
  createHmac('sha256', await keys.serviceKey('oauth-clients'))
    .update(number === 0 ? id : `${id}\n${number}`)
    .digest('base64url');

/** The time in milliseconds for which the former secret stays valid after a rotation. */
const FORMER_SECRET_VALID = 86_400_000;
/** The number of rotations that a client remembers, so that a repeated request finds its own. */
const REMEMBERED_ROTATIONS = 50;

/** Gives a client a new secret. The former one stays valid for a day, and an earlier one ends at once. */
export class RotateClientSecret extends Command<
  { readonly json: string; readonly replayed: boolean } | Rejection<'client_not_found' | 'client_without_secret'>
> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RotateClientSecret)
export class RotateClientSecretHandler implements ICommandHandler<RotateClientSecret> {
  private readonly clients: OAuthClients;

  constructor(
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.clients = new OAuthClients(documents);
  }

  async execute({ id, request }: RotateClientSecret): Promise<ResultOf<RotateClientSecret>> {
    const rotation = this.identities.of(`rotateClientSecret ${id}`, request, {}).id;
    const found = await this.clients.get(id);
    if (found?.client.tenant !== request.tenant) return rejected('client_not_found');
    if (found.secretDigest === undefined) return rejected('client_without_secret');
    await this.rotate(found, rotation);
    const stored = await this.clients.get(id);
    const number = stored?.rotations?.find((one) => one.id === rotation)?.number;
    if (!stored || number === undefined) return rejected('client_not_found');
    const secret = await secretOf(this.keys, id, number);
    const { formerSecret } = stored;
    // A replayed answer shows a secret only while it is valid.
    const valid = isSecretValid(stored, secret, this.clock.now());
    const replayed = found.rotations?.some((one) => one.id === rotation) ?? false;
    const view = {
      ...clientView(stored.client),
      ...(valid && { secret }),
      ...(formerSecret && { formerSecretValidUntil: formerSecret.validUntil }),
    };
    return { json: JSON.stringify(view), replayed };
  }

  /** Stores a new secret, unless this rotation has stored one before. */
  private async rotate({ client: { id }, rotations = [] }: StoredClient, rotation: string): Promise<void> {
    // Of rotations at the same time, one gets this number. The others read the client again and take the next.
    const number = (rotations.at(-1)?.number ?? 0) + 1;
    if (rotations.some((one) => one.id === rotation)) return;
    const digest = digestSecret(await secretOf(this.keys, id, number));
    const validUntil = new Date(this.clock.now().getTime() + FORMER_SECRET_VALID).toISOString();
    let isTaken = false;
    const changed = await this.clients.change(id, (stored) => {
      const { secretDigest, rotations: known = [] } = stored;
      isTaken = (known.at(-1)?.number ?? 0) + 1 !== number;
      if (secretDigest === undefined || isTaken) return null;
      const remembered = [...known, { id: rotation, number }].slice(-REMEMBERED_ROTATIONS);
      return { ...stored, secretDigest: digest, formerSecret: { digest: secretDigest, validUntil }, rotations: remembered };
    });
    if (changed || !isTaken) return;
    const latest = await this.clients.get(id);
    if (latest) await this.rotate(latest, rotation);
  }
}
