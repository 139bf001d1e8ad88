import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { checkpointIn, readLastCheckpoint } from '../../audit/checkpoints/checkpoint-log.js';
import { jwksOf, type PublicJwk } from '../../audit/keys/public-keys.js';
import { ProofKeys } from '../../audit/keys/proof-keys.js';
import { CHECKPOINT_STREAM } from '../../domain/checkpoints/checkpoint.events.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { Page, ResultOf } from '../request.js';

/** A page of checkpoints, oldest first. `page` starts at 1. */
export class ListCheckpoints extends Query<Page> {
  constructor(
    readonly page: number,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListCheckpoints)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpoints> {
  constructor(
    readonly store: EventStore,
    readonly codec: EventCodec,
  ) {}

  async execute({ page, limit }: ListCheckpoints): Promise<ResultOf<ListCheckpoints>> {
    const last = await readLastCheckpoint(this);
    const stored = await this.store.readStream(CHECKPOINT_STREAM, (page - 1) * limit, limit);
    return { items: stored.map((event) => JSON.stringify(checkpointIn(this.codec, event))), totalItems: (last?.revision ?? -1) + 1 };
  }
}

/** The public keys that verify checkpoints, newest first. */
export class ListProofKeys extends Query<readonly PublicJwk[]> {}

@QueryHandler(ListProofKeys)
export class ListProofKeysHandler implements IQueryHandler<ListProofKeys> {
  constructor(private readonly keys: ProofKeys) {}

  async execute(): Promise<ResultOf<ListProofKeys>> {
    return jwksOf(await this.keys.publicKeys());
  }
}

/** The query handlers of checkpoints, for the module. */
export const CHECKPOINT_QUERY_HANDLERS = [ListCheckpointsHandler, ListProofKeysHandler];
