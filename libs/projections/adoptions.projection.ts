import type {
  AdoptionDetails,
  AdoptionEvent,
  AdoptionRejectionReason,
  AdoptionStatus,
  Applicant,
} from '../domain/adoptions/adoption.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';
import type { Personal } from '../eventsourcing/sealed.js';
import type { ExplicitOptional } from './explicit-optional.js';

/**
 * An application as the interface returns it. The JSON omits undefined fields. Personal values are encrypted in the read
 * model and decrypted when they are read.
 */
export type Adoption = {
  readonly id: string;
  readonly petId: string;
  readonly userId: string | undefined;
  readonly applicant: ExplicitOptional<Applicant> | undefined;
  readonly message: Personal | undefined;
  readonly status: AdoptionStatus;
  /** Undefined unless the application is rejected. */
  readonly reason: AdoptionRejectionReason | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The fields by which applications are queried and counted. They contain no personal data of the applicant. */
type AdoptionFields = {
  readonly tenant: string;
  readonly status: AdoptionStatus;
  readonly petId: string;
  readonly userId: string | null;
  readonly submittedAt: string;
};

type AdoptionDocument = Document<Adoption, AdoptionFields>;

/** Names each member of the body instead of copying the event, so that a new event field is not exposed by accident. */
const submitted = ({ petId, userId, applicant, message }: AdoptionDetails, { stream, tenant, time }: EventMeta): AdoptionDocument => ({
  body: {
    id: aggregateIdOf(stream),
    petId,
    userId,
    applicant: applicant && { name: applicant.name, email: applicant.email, phone: applicant.phone },
    message,
    status: 'submitted',
    reason: undefined,
    createdAt: time,
    updatedAt: time,
  },
  fields: { tenant, status: 'submitted', petId, userId: userId ?? null, submittedAt: time },
});

const withStatus = (current: AdoptionDocument | null, status: AdoptionStatus, { time }: EventMeta): AdoptionDocument | null =>
  current && { body: { ...current.body, status, updatedAt: time }, fields: { ...current.fields, status } };

const rejected = (current: AdoptionDocument | null, reason: AdoptionRejectionReason, meta: EventMeta): AdoptionDocument | null => {
  const document = withStatus(current, 'rejected', meta);
  if (!document) return null;
  // Puts `reason` before the times, as documented. The stored body has no `reason` yet, so a plain copy would put it last.
  const { createdAt, updatedAt, ...body } = document.body;
  return { ...document, body: { ...body, reason, createdAt, updatedAt } };
};

/** The read model of every application. */
export const adoptionsProjection = projection<AdoptionEvent, Adoption, AdoptionFields>({
  name: 'adoptions',
  version: 2,
  category: 'adoption',
  fields: { tenant: 'text', status: 'text', petId: 'text', userId: 'text', submittedAt: 'text' },
  // One index for each list query, newest first. The last index finds the applications that are due to expire, in all tenants
  // together.
  indexes: [
    ['tenant', '-submittedAt', '-key', 'status', 'petId'],
    ['tenant', 'status', '-submittedAt', '-key', 'petId'],
    ['tenant', 'petId', '-submittedAt', '-key', 'status'],
    ['status', 'submittedAt'],
  ],
  cells: ['tenant', 'status'],
  amount: () => 1,
  on: {
    AdoptionSubmitted: (_, details, meta) => submitted(details, meta),
    // The body does not change. Unlike 'ignore', this handler raises the revision of the document, so that the entity tag has the
    // revision of the stream.
    AdoptionApprovalStarted: (current) => current,
    AdoptionApproved: (current, _, meta) => withStatus(current, 'approved', meta),
    AdoptionRejected: (current, { reason }, meta) => rejected(current, reason, meta),
    AdoptionWithdrawn: (current, _, meta) => withStatus(current, 'withdrawn', meta),
    AdoptionExpired: (current, _, meta) => withStatus(current, 'expired', meta),
    AdoptionErased: () => null,
  },
});
