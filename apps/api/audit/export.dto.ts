import { Allow, IsInt, IsString, Matches, Min } from 'class-validator';
import type { ExportScope } from '../../../libs/audit/export/manifest.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { Characters, DateTime, Described, Documented, Nested, Optional, Schema } from '../http/validation/rules.js';
import { utcTime } from './log.dto.js';

/** Matches a tenant: a UUID, or the shared pool. */
const TENANT = /^(?:shared|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/u;

/** The range of an export in a request. */
@Documented('The events to export. Without a member, all events up to the present')
export class NewExport {
  @Optional()
  @DateTime()
  @Described('Only events at this time or later', '2026-11-01T00:00:00Z')
  readonly from?: string;

  @Optional()
  @DateTime()
  @Described(
    'Only events before this time, which must not be in the future. Default: a checkpoint of all events, which is signed first',
    '2026-12-01T00:00:00Z',
  )
  readonly to?: string;

  @Optional()
  @Matches(TENANT, { message: 'must be a UUID, or "shared"' })
  @Described('Only events of this tenant: a UUID, or `shared`', 'shared')
  readonly tenant?: string;

  @Optional()
  @Characters(1, 255)
  @Described('Only events of this stream. Not together with `tenant`', 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60')
  readonly stream?: string;
}

/** Rejects an empty range, and a stream together with a tenant (contract 35.17). */
export const validateNewExport = ({ from, to, tenant, stream }: NewExport): readonly FieldError[] => [
  ...(from !== undefined && to !== undefined && utcTime(from) >= utcTime(to)
    ? [{ field: 'to', message: 'must be after from', code: 'too_small' as const }]
    : []),
  ...(tenant !== undefined && stream !== undefined
    ? [{ field: 'stream', message: 'must not be sent together with tenant', code: 'mismatch' as const }]
    : []),
];

/** Returns the scope of an export. Converts times to UTC, because recorded times are in UTC. */
export const exportScope = ({ from, to, tenant, stream }: NewExport): ExportScope => ({
  from: from === undefined ? null : utcTime(from),
  to: to === undefined ? null : utcTime(to),
  tenant: tenant?.toLowerCase() ?? null,
  stream: stream ?? null,
});

const TEXT_OR_NULL = ['string', 'null'];

/** The checkpoint at the end of an export, in a response. */
@Documented('The checkpoint at the end of an export')
export class ExportCover {
  @IsInt()
  @Min(0)
  @Described('The number of the checkpoint', 12)
  readonly index!: number;

  @IsInt()
  @Min(1)
  @Described('The number of events that it covers, from the first event of the log', 1200)
  readonly size!: number;

  @DateTime()
  @Described('When it was made', '2026-12-01T00:03:04.005Z')
  readonly time!: string;
}

/** An export that can be read, in a response. */
@Documented('An export that can be read with its id, from every process and at any time')
export class BegunExport {
  @IsString()
  @Described('The id of the export. The same range has the same id each time', 'eyJjb3ZlciI6MTJ9')
  readonly id!: string;

  @Allow()
  @Schema({ type: TEXT_OR_NULL, description: 'The first time, in UTC; null without a limit' })
  readonly from!: string | null;

  @Allow()
  @Schema({ type: TEXT_OR_NULL, description: 'The end, in UTC, which is not included; null without a limit' })
  readonly to!: string | null;

  @Allow()
  @Schema({ type: TEXT_OR_NULL, description: 'The only tenant; null for all' })
  readonly tenant!: string | null;

  @Allow()
  @Schema({ type: TEXT_OR_NULL, description: 'The only stream; null for all' })
  readonly stream!: string | null;

  @IsInt()
  @Min(0)
  @Described('The number of events of the log that the export reads. It has at most so many lines', 200)
  readonly events!: number;

  @Nested(() => ExportCover)
  readonly cover!: ExportCover;
}

export const BEGUN_EXPORT_EXAMPLE = {
  id: 'eyJjb3ZlciI6MTIsImZyb20iOm51bGwsInN0cmVhbSI6bnVsbCwidGVuYW50IjpudWxsLCJ0byI6bnVsbH0',
  from: null,
  to: null,
  tenant: null,
  stream: null,
  events: 1200,
  cover: { index: 12, size: 1200, time: '2026-12-01T00:03:04.005Z' },
};
