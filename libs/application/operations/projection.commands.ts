import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { projections } from '../../projections/projections.js';
import { without } from '../../runtime/operating/operator-state.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { decide, recordAction } from './operator-actions.js';

/**
 * Pauses the read model of a projection, or resumes it (contract 43.5). A repeated request changes and records nothing. Each process
 * follows within a second.
 */
export class PauseProjection extends RequestCommand<'PauseProjection', null | Rejection<'projection_not_found'>> {
  constructor(
    readonly projection: string,
    /** Whether it is paused from then on. */
    readonly isPaused: boolean,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const pauseProjection = async (
  ports: Ports<'aggregates' | 'clock' | 'documents' | 'decisions'>,
  { projection, isPaused, reason, request }: PauseProjection,
): Promise<ResultOf<PauseProjection>> => {
  if (!projections.some(({ name }) => name === projection)) return rejected('projection_not_found');
  await ports.decisions.refresh();
  if (ports.decisions.isPaused(projection) === isPaused) return null;
  const why = reason === undefined ? {} : { reason };
  await recordAction(ports, { type: isPaused ? 'ProjectionPaused' : 'ProjectionResumed', data: { projection, ...why } }, request);
  const pause = { since: ports.clock.now().toISOString(), by: request.actor, ...why };
  await decide(ports, (state) =>
    isPaused ? { ...state, paused: { ...state.paused, [projection]: pause } } : without(state, 'paused', projection),
  );
  return null;
};
