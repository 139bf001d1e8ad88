import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { remedyOf, type AuditFault } from '../../audit/verify/audit-fault.js';
import { auditStateOf, readAuditRecord, type AuditState } from '../../audit/watch/audit-record.js';
import { type HistoryFault, StreamFaultLookup } from '../../eventsourcing/history.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ResultOf } from '../request.js';

/** The maximum number of broken streams in the list. `brokenStreamCount` counts all broken streams. */
const SHOWN = 100;

/** The maximum number of unverified events that are counted. All of them are read. */
const MAX_COUNTED = 1_000;

/** What operators see of the log's health (contract 25.7). */
export type StoreHealth = {
  readonly audit: {
    readonly state: AuditState;
    /** The position that the last audit without a fault reached, and when that audit ended. Absent if there was none. */
    readonly verifiedPosition?: number;
    readonly verifiedAt?: string;
    /** The number of events after that position, counted up to 1,000: no audit has verified them yet. */
    readonly unverifiedCount: number;
    /** When the last audit ended, with or without faults. */
    readonly endedAt?: string;
    readonly faultCount: number;
    /** The first 20 of these faults. */
    readonly faults: readonly (AuditFault & { readonly remedy: string })[];
  };
  readonly brokenStreamCount: number;
  readonly brokenStreams: readonly Pick<HistoryFault, 'stream' | 'revision' | 'kind' | 'reason'>[];
};

/** Returns the health of the log with all details. */
export class GetStoreHealth extends Query<StoreHealth> {}

@QueryHandler(GetStoreHealth)
export class GetStoreHealthHandler implements IQueryHandler<GetStoreHealth> {
  constructor(
    @Inject(EventStore) private readonly store: Pick<EventStore, 'readAll'>,
    private readonly documents: Documents,
    private readonly faults: StreamFaultLookup,
  ) {}

  async execute(): Promise<ResultOf<GetStoreHealth>> {
    const record = await readAuditRecord(this.documents);
    const { verified, endedAt, faults, first } = record;
    const broken = this.faults.all();
    return {
      audit: {
        state: auditStateOf(record),
        ...(verified && { verifiedPosition: verified.position, verifiedAt: verified.time }),
        unverifiedCount: (await this.store.readAll(verified?.position ?? 0, MAX_COUNTED)).length,
        ...(endedAt !== null && { endedAt }),
        faultCount: Object.values(faults).reduce((sum, count) => sum + count, 0),
        faults: first.map((fault) => ({ ...fault, remedy: remedyOf(fault) })),
      },
      brokenStreamCount: broken.length,
      brokenStreams: broken.slice(0, SHOWN).map(({ stream, revision, kind, reason }) => ({ stream, revision, kind, reason })),
    };
  }
}
