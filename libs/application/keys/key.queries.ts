import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ProofKeys } from '../../audit/keys/proof-keys.js';
import { ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import { SigningKeys } from '../../ports/signing-keys.port.js';
import type { Page, ResultOf } from '../request.js';
import { keyViews } from './service-keys.js';

/** A page of the service's keys. `page` starts at 1. */
export class ListKeys extends Query<Page> {
  constructor(
    readonly page: number,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(
    private readonly keys: ServiceKeyList,
    private readonly signing: SigningKeys,
    private readonly proof: ProofKeys,
  ) {}

  async execute({ page, limit }: ListKeys): Promise<ResultOf<ListKeys>> {
    const all = keyViews(this.signing.list(), await this.proof.list(), await this.keys.serviceKeys());
    const items = all.slice((page - 1) * limit, page * limit).map((key) => JSON.stringify(key));
    return { items, totalItems: all.length };
  }
}

/** The query handlers of the service's keys, for the module. */
export const KEY_QUERY_HANDLERS = [ListKeysHandler];
