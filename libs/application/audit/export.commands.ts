import { NothingToExport } from '../../audit/export/export-plan.js';
import type { ExportScope } from '../../audit/export/manifest.js';
import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type ResultOf } from '../request.js';
import { exportIdOf, planCovered } from './planned-export.js';

/** An export that can be read. */
export type BegunExport = ExportScope & {
  readonly id: string;
  /** The number of events of the log that the export reads. It has at most so many lines. */
  readonly events: number;
  /** The checkpoint at its end. */
  readonly cover: Pick<SignedCheckpoint['checkpoint'], 'index' | 'size' | 'time'>;
};

/** Plans an export, and makes a checkpoint first if none covers its range (contract 35.17). */
export class BeginExport extends RequestCommand<'BeginExport', BegunExport | Rejection<'export_in_future' | 'nothing_to_export'>> {
  constructor(readonly scope: ExportScope) {
    super();
  }
}

export const beginExport = async (
  { store, codec, proofKeys, checkpoints, clock }: Ports<'store' | 'codec' | 'proofKeys' | 'checkpoints' | 'clock'>,
  { scope }: BeginExport,
): Promise<ResultOf<BeginExport>> => {
  if (scope.to !== null && scope.to > clock.now().toISOString()) return rejected('export_in_future');
  const ownKeys = await proofKeys.publicKeys();
  try {
    const planned = await planCovered(scope, {
      open: async () => ({ store, codec, ownKeys, close: async () => undefined }),
      makeCheckpoint: () => checkpoints.makeNext(),
    });
    if (!planned) return rejected('nothing_to_export');
    const { base, cover } = planned.plan;
    const { index, size, time } = cover.checkpoint;
    return {
      ...{ id: exportIdOf({ scope, cover: index }), ...scope },
      events: size - (base?.signed.checkpoint.size ?? 0),
      cover: { index, size, time },
    };
  } catch (error) {
    if (error instanceof NothingToExport) return rejected('nothing_to_export');
    throw error;
  }
};
