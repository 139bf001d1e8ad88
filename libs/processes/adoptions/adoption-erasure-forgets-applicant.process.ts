import type { AdoptionEvent } from '../../domain/adoptions/adoption.events.js';
import type { AdoptionId } from '../../domain/ids.js';
import { aggregateIdOf } from '../../eventsourcing/message.js';
import type { Process } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../process-command.js';

/**
 * Destroys the key of an erased applicant (contract 36.8). Usually the HTTP request has already done this, and the command has
 * no effect. If a crash interrupted the request, the command completes it.
 */
export const adoptionErasureForgetsApplicant: Process<AdoptionEvent, ProcessCommand> = {
  name: 'adoption-erasure-forgets-applicant',
  on: { AdoptionErased: ({ meta }) => [{ type: 'ForgetApplicant', data: { adoptionId: aggregateIdOf(meta.stream) as AdoptionId } }] },
};
