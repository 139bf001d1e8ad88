import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AdoptionStatus } from '../../domain/adoptions/adoption.events.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { ADOPTIONS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { Page, ResultOf, View } from '../request.js';
import { openAdoption, openAdoptionView } from './open-adoption.js';

/** One application, or null. `fields.userId` is the user who applies. */
export class GetAdoption extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetAdoption)
export class GetAdoptionHandler implements IQueryHandler<GetAdoption> {
  constructor(
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  async execute({ id, tenant }: GetAdoption): Promise<ResultOf<GetAdoption>> {
    const view = await viewInTenant(this.documents, ADOPTIONS.projection, id, tenant);
    return view && openAdoptionView(this.keys, view);
  }
}

export type AdoptionFilter = { readonly status?: AdoptionStatus; readonly petId?: string };

/** A page of applications, newest first. */
export class ListAdoptions extends Query<Page> {
  constructor(
    readonly filter: AdoptionFilter,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListAdoptions)
export class ListAdoptionsHandler implements IQueryHandler<ListAdoptions> {
  constructor(
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  async execute({ filter, page, limit, tenant }: ListAdoptions): Promise<ResultOf<ListAdoptions>> {
    // The cells (counters by field values) count the applications by tenant and status only. With a filter by pet, the store
    // counts documents.
    const totals = filter.petId === undefined ? 'sum' : 'count';
    const query = { where: { tenant, ...filter }, sort: ['-submittedAt'], page, limit };
    const found = await pageOf(this.documents, ADOPTIONS.projection.collection, query, totals);
    return { ...found, items: await Promise.all(found.items.map((json) => openAdoption(this.keys, json))) };
  }
}

/** The query handlers of applications, for the module. */
export const ADOPTION_QUERY_HANDLERS = [GetAdoptionHandler, ListAdoptionsHandler];
