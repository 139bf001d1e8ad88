import { Readable } from 'node:stream';
import { Controller, Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { BeginExport } from '../../../libs/application/audit/export.commands.js';
import { OpenExport, type OpenedExport } from '../../../libs/application/audit/export.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import type { RequestLog } from '../http/pipeline/request-log.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import { JSON_TYPE } from '../http/responses.js';
import { shapeOf } from '../http/validation/shape.js';
import { REQUEST_LOG } from '../tokens.js';
import { requireAllTenants } from './auditor.js';
import { BEGUN_EXPORT_EXAMPLE, BegunExport, exportScope, NewExport, validateNewExport } from './export.dto.js';

/** The maximum number of exports that a process sends at once. Each reads a part of the log, and hashes it. */
const MAX_AT_ONCE = 2;
/** A client that takes nothing for so long loses its connection. Otherwise a few of them could keep the exports of others away. */
const UNTAKEN_MILLISECONDS = 30_000;

const NDJSON = 'application/x-ndjson';
const NO_EXPORT = 'There is no export with this id. POST /v1/audit/exports returns the id of an export.';

/** The fields that both operations share. An export has the events of all tenants, or of a tenant that it names. */
const EXPORT = { access: withScope('audit:read'), wholeStore: true, security: 'audit-read', tag: 'Audit' } as const;

/** Sends exports of the log to auditors (contract 35.17). It keeps no state, so every process can send every export. */
@Controller()
export class ExportsController implements BeforeApplicationShutdown {
  /** The exports that are sent, each with the subject of its caller. */
  private readonly sent = new Map<FastifyReply, string | undefined>();

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(REQUEST_LOG) private readonly log: Pick<RequestLog, 'logFailure'>,
  ) {}

  @Operation({
    ...EXPORT,
    id: 'beginExport',
    method: 'POST',
    path: '/v1/audit/exports',
    summary: 'Begin an export of the log',
    description:
      'For auditors whose token has the scope `ops`, too, and no tenant. Returns the id of the export. ' +
      'If no checkpoint covers the range, one is signed first.',
    body: shapeOf(NewExport, [validateNewExport]),
    bodyExample: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    success: { status: 200, description: 'The export', schema: BegunExport, example: BEGUN_EXPORT_EXAMPLE, isComputed: true },
    problems: ['export_in_future', 'nothing_to_export'],
  })
  async begin({ call }: OperationRequest<{ body: NewExport }>, reply: FastifyReply): Promise<void> {
    requireAllTenants(call.caller);
    const begun = await this.commands.execute(new BeginExport(exportScope(call.body)));
    if (isRejection(begun)) throw rejectionProblem(begun);
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(begun));
  }

  @Operation({
    ...EXPORT,
    id: 'getExport',
    method: 'GET',
    path: '/v1/audit/exports/{export}',
    idForm: 'case-sensitive',
    summary: 'Read an export of the log',
    description:
      'For auditors whose token has the scope `ops`, too, and no tenant. Returns one event on each line, as it is stored, and at last a ' +
      'signed manifest. Without its last line, which begins with `{"manifest":`, an export is incomplete: read it again. ' +
      'docs/audit.md says how an export is verified.',
    success: { status: 200, description: 'The export', download: NDJSON, isComputed: true },
    problems: [{ notFound: NO_EXPORT }],
  })
  async read(request: OperationRequest, reply: FastifyReply): Promise<void> {
    const { call, method } = request;
    requireAllTenants(call.caller);
    const isHead = method === 'HEAD';
    if (!isHead) this.occupy(reply, call.caller?.subject);
    const opened = await this.queries.execute(new OpenExport(call.id));
    if (!opened) throw new Problem('not-found', NO_EXPORT);
    // The first part is read before the headers are sent, so that an early fault is a problem with its own status.
    const first = isHead ? null : await opened.parts.next();
    // The client may have left meanwhile. Nothing would end a body that begins now.
    if (reply.raw.destroyed) {
      await opened.parts.return(undefined);
      return void reply.hijack();
    }
    reply.raw.once('close', () => void opened.parts.return(undefined));
    // Node closes a connection without progress after this time, and ends the limit with the response.
    reply.raw.socket?.setTimeout(UNTAKEN_MILLISECONDS);
    // The path of the request, which the log shows, has the id of the export.
    const onFault = (fault: unknown): void => this.log.logFailure(reply.request, 503, fault);
    reply
      .code(200)
      .header('content-type', NDJSON)
      .header('content-disposition', `attachment; filename="${fileNameOf(opened)}"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(first ? linesOf(first, opened, reply, onFault) : [], { objectMode: false }));
  }

  /** Ends the exports, which clients can read again from another process. None of them gets a manifest. */
  beforeApplicationShutdown(): void {
    for (const reply of this.sent.keys()) reply.raw.destroy();
  }

  private occupy(reply: FastifyReply, subject: string | undefined): void {
    if ([...this.sent.values()].includes(subject))
      throw new Problem('temporarily-unavailable', 'This process sends an export to you already. Try again when it has ended.');
    if (this.sent.size >= MAX_AT_ONCE)
      throw new Problem(
        'temporarily-unavailable',
        `This process sends ${MAX_AT_ONCE} exports already. Try again when one of them has ended.`,
      );
    // The client may have left already, and then nothing would give the place back.
    if (reply.raw.destroyed) return;
    this.sent.set(reply, subject);
    reply.raw.once('close', () => this.sent.delete(reply));
  }
}

/**
 * Yields the parts that have lines. An altered event rejects, which closes the connection before the manifest. The client does not get
 * the reason, so `onFault` does.
 */
async function* linesOf(
  first: IteratorResult<string>,
  { parts }: Pick<OpenedExport, 'parts'>,
  { raw: { socket } }: FastifyReply,
  onFault: (fault: unknown) => void,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await parts.next()) {
      if (next.value !== '') yield next.value;
      // While a long log has no event of the scope, nothing is sent, and the connection must not count as idle (contract 26.1).
      else socket?.setTimeout(socket.timeout ?? 0);
    }
  } catch (fault) {
    onFault(fault);
    throw fault;
  }
}

/** Returns the name of the file, such as `petstore-export-2026-11-01-to-2026-12-01.ndjson`. */
const fileNameOf = ({ scope: { from, to, tenant, stream }, cover }: OpenedExport): string => {
  const words = [tenant ?? stream, from?.slice(0, 10), 'to', to?.slice(0, 10) ?? `checkpoint-${cover}`];
  // The name of a stream may have any characters.
  const name = words.flatMap((word) => (word ? [word.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 80)] : []));
  return `petstore-export-${name.join('-')}.ndjson`;
};
