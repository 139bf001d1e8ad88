import { describe, it } from '@jest/globals';
import type { AdoptionId } from '../../domain/ids.js';
import { processSpecification } from '../../eventsourcing/testing/process-specification.js';
import { adoptionErasureForgetsApplicant } from './adoption-erasure-forgets-applicant.process.js';

const process = processSpecification(adoptionErasureForgetsApplicant);

describe('an erased application', () => {
  it('causes the command that forgets its applicant', () =>
    process
      .given({ type: 'AdoptionErased', data: {}, meta: { stream: 'adoption-0190-4' } })
      .expect({ type: 'ForgetApplicant', data: { adoptionId: '0190-4' as AdoptionId } }));
});
