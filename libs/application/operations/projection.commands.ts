import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { projections } from '../../projections/projections.js';
import { without } from '../../runtime/operating/operator-state.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { act, type ActingPorts, type Done, type KeyReason } from './operator-actions.js';

/**
 * Pauses the read model of a projection, or resumes it (contract 43.5). A repeated request changes and records nothing. Each process
 * follows within a second.
 */
export class PauseProjection extends RequestCommand<'PauseProjection', Done | Rejection<'projection_not_found' | KeyReason>> {
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
  ports: ActingPorts & Ports<'identities'>,
  { projection, isPaused, reason, request }: PauseProjection,
): Promise<ResultOf<PauseProjection>> => {
  if (!projections.some(({ name }) => name === projection)) return rejected('projection_not_found');
  const why = reason === undefined ? {} : { reason };
  const pause = { since: ports.clock.now().toISOString(), by: request.actor, ...why };
  const operation = isPaused ? 'pauseProjection' : 'resumeProjection';
  return act(ports, { operation, asked: why, request, projection }, (state) => {
    if ((state.paused?.[projection] !== undefined) === isPaused) return { next: state };
    return {
      event: { type: isPaused ? 'ProjectionPaused' : 'ProjectionResumed', data: { projection, ...why } },
      next: isPaused ? { ...state, paused: { ...state.paused, [projection]: pause } } : without(state, 'paused', projection),
    };
  });
};
