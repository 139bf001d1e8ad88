import type { AdoptionCommand } from '../../domain/adoptions/adoption.decider.js';
import type { AdoptionId } from '../../domain/ids.js';
import type { Execute } from '../../eventsourcing/process.js';
import { adoptionsProjection } from '../../projections/adoptions.projection.js';
import { startExpiry, type ExpiryPorts } from '../expire-due.js';

export type AdoptionExpiry = ExpiryPorts & {
  readonly execute: Execute<Extract<AdoptionCommand, { type: 'ExpireAdoption' }>>;
  readonly adoptionHoldMilliseconds: number;
};

/** Expires the applications on which nobody has decided within ADOPTION_HOLD (contract 36.6). */
export const startAdoptionExpiry = ({ execute, adoptionHoldMilliseconds, ...ports }: AdoptionExpiry): (() => Promise<void>) =>
  startExpiry(ports, {
    name: 'application',
    actor: 'process:adoption-expiry',
    collection: adoptionsProjection.collection,
    status: 'submitted',
    since: 'submittedAt',
    holdMilliseconds: adoptionHoldMilliseconds,
    expire: (id, submittedBefore, context) =>
      execute({ type: 'ExpireAdoption', data: { adoptionId: id as AdoptionId, submittedBefore } }, context),
  });
