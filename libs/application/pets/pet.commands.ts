import { createHash } from 'node:crypto';
import { imageSubject } from '../../domain/events.js';
import { canBeAccount, petStream, type ImageId, type PetId } from '../../domain/ids.js';
import { blobOf, isKnownImage, type ImageReference, type PetImage } from '../../domain/pets/pet-image.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import type { ClassicDetails, PetDetails, PetEvent, PetStatus } from '../../domain/pets/pet.events.js';
import { isRejection, rejected, rejectionIn, type Rejection } from '../../eventsourcing/decider.js';
import { MAX_ATTEMPTS } from '../../eventsourcing/handle.js';
import { releaseMemory } from '../../eventsourcing/scheduling/release-memory.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import type { ImageFault } from '../../ports/image-processor.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import { PETS } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { create } from '../creation.js';
import { AUDITED, isInTenant } from '../history/audited.js';
import { isStillAt } from '../precondition.js';
import {
  commandContext,
  RequestCommand,
  type CommandRejection,
  type CreationResult,
  type RequestContext,
  type ResultOf,
  type View,
} from '../request.js';
import { viewAfter } from '../views.js';

/** Lists a new pet. */
export class CreatePet extends RequestCommand<'CreatePet', CreationResult | CommandRejection<PetRejection | 'idempotency_key_reused'>> {
  constructor(
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
    readonly classic?: ClassicDetails,
  ) {
    super();
  }
}

/** Appends without reading the stream. If the stream exists, reads its first event: the request may be a replay. */
export const createPet = (
  ports: Ports<'aggregates' | 'identities' | 'store' | 'codec' | 'numbers'>,
  { details, status, request, classic }: CreatePet,
): Promise<ResultOf<CreatePet>> => {
  const listed = { details, status, ...(classic && { classic }) };
  return create(ports, {
    operation: 'createPet',
    request,
    digested: listed,
    aggregate: PETS,
    appendsFirst: true,
    exists: 'pet_exists',
    missing: 'pet_not_found',
    append: async ({ id }: { readonly id: PetId }, context) => {
      const number = await ports.numbers.next(request.tenant);
      if (typeof number !== 'number') return number;
      const command = { type: 'CreatePet', data: { petId: id, ...listed, number } } as const;
      const outcome = await ports.aggregates.handle(PETS, id, command, context, { isNew: true });
      return isRejection(outcome) ? outcome : { first: outcome.events[0] };
    },
  });
};

/** Replaces a pet's details. Omitted fields are cleared. */
export class UpdatePet extends RequestCommand<'UpdatePet', View | CommandRejection<PetRejection>> {
  constructor(
    readonly id: string,
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
    /** If absent, the members of the classic variant stay as they are (contract 39.4). */
    readonly classic?: ClassicDetails,
  ) {
    super();
  }
}

export const updatePet = ({ id, details, status, classic }: UpdatePet) =>
  ({ type: 'UpdatePet', data: { petId: id as PetId, details, status, ...(classic && { classic }) } }) as const;

/** The new values of a pet: some details, its status, and the members of the classic variant. Absent values do not change. */
export type PetChanges = {
  readonly details: Partial<Pick<PetDetails, 'name' | 'species' | 'photos'>>;
  readonly status?: PetStatus;
  readonly classic?: ClassicDetails;
};

/** Changes some details of a pet, and keeps the others. */
export class ChangePet extends RequestCommand<'ChangePet', View | CommandRejection<PetRejection>> {
  constructor(
    readonly id: string,
    readonly changes: PetChanges,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Appends only at the revision that was read. Otherwise, this would overwrite a concurrent change of other details. */
export const changePet = async ({ aggregates }: Ports<'aggregates'>, { id, changes, request }: ChangePet): Promise<ResultOf<ChangePet>> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const loaded = await aggregates.load(PETS, id);
    const { state } = loaded;
    if (state.kind !== 'listed' || state.tenant !== request.tenant) return rejected('pet_not_found');
    const details = { ...state.details, ...changes.details };
    const { classic, status = state.status } = changes;
    const data = { petId: id as PetId, details, status, ...(classic && { classic }) };
    const options = { loaded, precondition: isStillAt(loaded) };
    const outcome = await aggregates.handle(PETS, id, { type: 'UpdatePet', data }, commandContext(request), options);
    if (isRejection(outcome) && outcome.rejected === 'precondition_failed') continue;
    if (isRejection(outcome)) return outcome;
    return viewAfter(PETS, id, outcome) ?? rejected('pet_not_found');
  }
  return rejected('contended');
};

/** Removes a pet from the catalogue. Returns null on success. */
export class DeletePet extends RequestCommand<'DeletePet', null | CommandRejection<PetRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const deletePet = ({ id }: DeletePet) => ({ type: 'DeletePet', data: { petId: id as PetId } }) as const;

/** A file that staff upload as an image of a pet. The command releases the memory of `file`: do not use `file` afterwards. */
export type ImageUpload = { readonly file: Uint8Array; readonly additionalMetadata?: string };

/** The stored image. `replayed` is true if an earlier request with the same Idempotency-Key stored it. */
export type UploadResult = Omit<PetImage, 'additionalMetadata' | 'uploader'> & { readonly replayed: boolean };

/** Adds an image to a pet. */
export class UploadPetPhoto extends RequestCommand<
  'UploadPetPhoto',
  UploadResult | CommandRejection<PetRejection | ImageFault | 'idempotency_key_reused'>
> {
  constructor(
    readonly petId: string,
    readonly upload: ImageUpload,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type UploadPorts = Ports<'aggregates' | 'identities' | 'store' | 'codec' | 'blobs' | 'images'>;

/**
 * Stores the bytes of an image before the event that names them (contract 37.8). If the process is killed before the event,
 * a timer removes the bytes (unnamed-blobs.ts).
 */
export const uploadPetPhoto = async (ports: UploadPorts, { petId, upload, request }: UploadPetPhoto): Promise<ResultOf<UploadPetPhoto>> => {
  const { aggregates, identities, blobs, images } = ports;
  if (!(await isInTenant(aggregates, AUDITED.pet, petId, request.tenant))) return rejected('pet_not_found');
  const { additionalMetadata = null } = upload;
  // The operation names the pet. So the same Idempotency-Key gives images of different pets different ids.
  const body = { file: await digestOfFile(upload.file), additionalMetadata };
  const { id: imageId, bodyDigest } = identities.of<ImageId>(`uploadPetPhoto ${petId}`, request, body);
  const earlier = bodyDigest === undefined ? null : await findUpload(ports, petId, imageId, bodyDigest);
  if (earlier) return earlier;
  const image = await images.normalize(upload.file);
  releaseMemory(upload.file);
  if ('fault' in image) return rejected(image.fault);
  const { bytes, ...rest } = image;
  const stored = { imageId, ...rest, bytes: bytes.length, digest: await digestOfFile(bytes) };
  const blob = blobOf(petId, stored);
  await blobs.put(blob, bytes);
  releaseMemory(bytes);
  const uploader = canBeAccount(request.actor) ? { uploader: request.actor } : {};
  const named = { ...stored, ...uploader, ...(additionalMetadata !== null && { additionalMetadata }) };
  const command = { type: 'AddPetPhoto', data: { petId: petId as PetId, image: named } } as const;
  const outcome = await aggregates.handle(PETS, petId, command, commandContext(request, bodyDigest));
  if (!isRejection(outcome) && outcome.events.length > 0) return { ...stored, replayed: false };
  const concurrent = bodyDigest === undefined ? null : await findUpload(ports, petId, imageId, bodyDigest);
  // With an Idempotency-Key, an event of a concurrent request may still name the same bytes. If not, a timer removes them.
  if (bodyDigest === undefined) await blobs.remove(blob);
  return concurrent ?? (isRejection(outcome) ? outcome : rejected('idempotency_key_reused'));
};

/**
 * Returns the result of the earlier request that added this image, or null if there is none. Returns the rejection
 * `idempotency_key_reused` if that request had another body.
 */
const findUpload = async (
  ports: Ports<'aggregates' | 'store' | 'codec'>,
  petId: string,
  imageId: ImageId,
  bodyDigest: string,
): Promise<UploadResult | Rejection<'idempotency_key_reused'> | null> => {
  const { state, end } = await ports.aggregates.load(PETS, petId);
  if (state.kind === 'listed' && !isKnownImage(state.images, imageId)) return null;
  const found = await findLastEvent(ports, petStream(petId as PetId), end.revision, (recorded) => {
    const event = eventOf<PetEvent>(recorded);
    return event.type === 'PetPhotoAdded' && event.data.imageId === imageId;
  });
  const added = found && eventOf<PetEvent>(found);
  if (added?.type !== 'PetPhotoAdded') return null;
  if (added.meta.bodyDigest !== bodyDigest) return rejected('idempotency_key_reused');
  const { additionalMetadata: _, uploader: __, ...image } = added.data;
  return { ...image, replayed: true };
};

/** The number of bytes of a piece. Hashing a piece takes some tenths of a millisecond. */
const PIECE_BYTES = 131_072;

/**
 * Returns the SHA-256 of a file as base64url. Hashes the file in pieces, and lets other requests run between two pieces. A
 * hash in another thread would need a copy of the file.
 */
const digestOfFile = async (file: Uint8Array): Promise<string> => {
  const hash = createHash('sha256');
  for (let at = 0; at < file.length; at += PIECE_BYTES) {
    hash.update(file.subarray(at, at + PIECE_BYTES));
    await yieldToEventLoop();
  }
  return hash.digest('base64url');
};

/** Removes an image of a pet. A domain process then deletes the bytes of the image. Returns null on success. */
export class RemovePetPhoto extends RequestCommand<'RemovePetPhoto', null | CommandRejection<PetRejection>> {
  constructor(
    readonly petId: string,
    readonly imageId: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const removePetPhoto = async (
  { aggregates }: Ports<'aggregates'>,
  { petId, imageId, request }: RemovePetPhoto,
): Promise<ResultOf<RemovePetPhoto>> => {
  const command = { type: 'RemovePetPhoto', data: { petId: petId as PetId, imageId: imageId as ImageId } } as const;
  const outcome = await aggregates.handle(PETS, petId, command, commandContext(request));
  return rejectionIn(outcome);
};

/** Deletes the bytes of a removed image, and the key of its metadata. A repeated call does nothing. */
export const deleteImage = async (
  { blobs, keys }: Ports<'blobs' | 'keys'>,
  { petId, ...image }: { readonly petId: PetId } & ImageReference,
): Promise<void> => {
  await blobs.remove(blobOf(petId, image));
  await keys.destroyPersonalKey(imageSubject(image.imageId));
};
