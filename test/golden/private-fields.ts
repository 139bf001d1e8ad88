/**
 * The fields of events that their public messages do not have, or that never differ (`holder.kind`). A listed field includes its members.
 * Messages without data are not listed: all their fields are private.
 */
export const PRIVATE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  // Only the classic variant shows numbers, categories and tags (contract 39.3, 39.4).
  PetListed: ['classic', 'number'],
  PetDetailsRevised: ['classic'],
  PetStatusSet: ['reason'],
  // The order's own message has its terms. No message names a user (contract 22.5).
  PetReserved: ['currency', 'holder.kind', 'number', 'quantity', 'shipDate', 'unitPrice', 'userId'],
  PetReleased: ['holder.kind'],
  PetAdopted: ['holder.kind'],
  PetPhotoAdded: ['additionalMetadata', 'digest', 'uploader'],
  PetPhotoRemoved: ['digest'],
  PetHeldForAdoption: ['userId'],
  PetAdoptedByApplication: ['otherIds'],
  OrderPlaced: ['number', 'userId'],
  OrderCancelled: ['paymentId'],
  OrderRemoved: ['status'],
  // Personal data, and the reference of the gateway (contract 22.5).
  PaymentRequested: ['payer', 'reference', 'source'],
  AdoptionSubmitted: ['applicant', 'message', 'userId'],
  UserErased: ['emailDigest', 'usernameDigest'],
  // What the next checkpoint and the next count need. The signed part is public.
  CheckpointSigned: ['state'],
  MessagesCounted: ['state'],
};
