import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NothingToExport, planExport, type ExportedLog } from '../../audit/export/export-plan.js';
import type { ExportScope } from '../../audit/export/manifest.js';
import { ProofKeys } from '../../audit/keys/proof-keys.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ResultOf } from '../request.js';
import { exportFile, plannedExportOf } from './planned-export.js';

/** The file of an export, in parts. */
export type OpenedExport = { readonly scope: ExportScope; readonly cover: number; readonly parts: AsyncGenerator<string> };

/** Opens an export by its id, or returns null if there is none (contract 35.17). Reads no event before the first part is requested. */
export class OpenExport extends Query<OpenedExport | null> {
  constructor(readonly id: string) {
    super();
  }
}

@QueryHandler(OpenExport)
export class OpenExportHandler implements IQueryHandler<OpenExport> {
  constructor(
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly keys: ProofKeys,
  ) {}

  async execute({ id }: OpenExport): Promise<ResultOf<OpenExport>> {
    const planned = plannedExportOf(id);
    if (!planned) return null;
    const { scope, cover } = planned;
    const log: ExportedLog = { store: this.store, codec: this.codec, ownKeys: await this.keys.publicKeys() };
    try {
      const plan = await planExport(log, scope, { checkpoint: { index: cover } });
      if (plan?.cover.checkpoint.index !== cover) return null;
      // The key of the checkpoint signs, so that a rotation between two reads changes no byte.
      return { scope, cover, parts: exportFile(log, plan, await this.keys.withId(plan.cover.checkpoint.keyId)) };
    } catch (error) {
      if (error instanceof NothingToExport) return null;
      throw error;
    }
  }
}
