import { readLastCheckpoint } from '../../audit/checkpoints/checkpoint-log.js';
import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { RequestCommand, type ResultOf } from '../request.js';
import type { Ports } from '../command-ports.js';

/**
 * Makes a checkpoint of all events. If no event has followed the last checkpoint, returns the last checkpoint. If the log is
 * empty, returns null.
 */
export class MakeCheckpoint extends RequestCommand<'MakeCheckpoint', SignedCheckpoint | null> {}

export const makeCheckpoint = async (ports: Ports<'checkpoints' | 'store' | 'codec'>): Promise<ResultOf<MakeCheckpoint>> =>
  (await ports.checkpoints.make()) ?? (await readLastCheckpoint(ports))?.signed ?? null;
