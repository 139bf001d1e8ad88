import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { canBeAccount, petStream, type ImageId, type PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import type { PetEvent } from '../../domain/pets/pet.events.js';
import { blobOf, isKnownImage, type PetImage } from '../../domain/pets/pet-image.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { Blobs } from '../../ports/blobs.port.js';
import type { ImageFault, ImageProcessor } from '../../ports/image-processor.port.js';
import { releaseMemory } from '../../eventsourcing/scheduling/release-memory.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import { PETS } from '../aggregates.js';
import { AUDITED, isInTenant } from '../history/audited.js';
import type { Identities } from '../identities.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf } from '../request.js';
import { AGGREGATES, BLOBS, CODEC, EVENT_STORE, IDENTITIES, IMAGE_PROCESSOR } from '../tokens.js';
import { digestOfFile } from './file-digest.js';

/** A file that staff upload as an image of a pet. The command releases the memory of `file`: do not use `file` afterwards. */
export type ImageUpload = { readonly file: Uint8Array; readonly additionalMetadata?: string };

/** The stored image. `replayed` is true if an earlier request with the same Idempotency-Key stored it. */
export type UploadResult = Omit<PetImage, 'additionalMetadata' | 'uploader'> & { readonly replayed: boolean };

/** Adds an image to a pet. */
export class UploadPetPhoto extends Command<UploadResult | CommandRejection<PetRejection | ImageFault | 'idempotency_key_reused'>> {
  constructor(
    readonly petId: string,
    readonly upload: ImageUpload,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/**
 * Stores the bytes of an image before the event that names them (contract 37.8). If the process is killed before the event,
 * a timer removes the bytes (unnamed-blobs.ts).
 */
@CommandHandler(UploadPetPhoto)
export class UploadPetPhotoHandler implements ICommandHandler<UploadPetPhoto> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(BLOBS) private readonly blobs: Blobs,
    @Inject(IMAGE_PROCESSOR) private readonly images: ImageProcessor,
  ) {}

  async execute({ petId, upload, request }: UploadPetPhoto): Promise<ResultOf<UploadPetPhoto>> {
    if (!(await isInTenant(this.aggregates, AUDITED.pet, petId, request.tenant))) return rejected('pet_not_found');
    const { additionalMetadata = null } = upload;
    // The operation names the pet. So the same Idempotency-Key gives images of different pets different ids.
    const body = { file: await digestOfFile(upload.file), additionalMetadata };
    const { id: imageId, bodyDigest } = this.identities.of<ImageId>(`uploadPetPhoto ${petId}`, request, body);
    const earlier = bodyDigest === undefined ? null : await this.findReplay(petId, imageId, bodyDigest);
    if (earlier) return earlier;
    const image = await this.images.normalize(upload.file);
    releaseMemory(upload.file);
    if ('fault' in image) return rejected(image.fault);
    const { bytes, ...rest } = image;
    const stored = { imageId, ...rest, bytes: bytes.length, digest: await digestOfFile(bytes) };
    const blob = blobOf(petId, stored);
    await this.blobs.put(blob, bytes);
    releaseMemory(bytes);
    const uploader = canBeAccount(request.actor) ? { uploader: request.actor } : {};
    const named = { ...stored, ...uploader, ...(additionalMetadata !== null && { additionalMetadata }) };
    const command = { type: 'AddPetPhoto', data: { petId: petId as PetId, image: named } } as const;
    const outcome = await this.aggregates.handle(PETS, petId, command, commandContext(request, bodyDigest));
    if (!isRejection(outcome) && outcome.events.length > 0) return { ...stored, replayed: false };
    const concurrent = bodyDigest === undefined ? null : await this.findReplay(petId, imageId, bodyDigest);
    // With an Idempotency-Key, an event of a concurrent request may still name the same bytes. If not, a timer removes them.
    if (bodyDigest === undefined) await this.blobs.remove(blob);
    return concurrent ?? (isRejection(outcome) ? outcome : rejected('idempotency_key_reused'));
  }

  /**
   * Returns the result of the earlier request that added this image, or null if there is none. Returns the rejection
   * `idempotency_key_reused` if that request had another body.
   */
  private async findReplay(
    petId: string,
    imageId: ImageId,
    bodyDigest: string,
  ): Promise<UploadResult | Rejection<'idempotency_key_reused'> | null> {
    const { state, end } = await this.aggregates.load(PETS, petId);
    if (state.kind === 'listed' && !isKnownImage(state.images, imageId)) return null;
    const found = await findLastEvent(this, petStream(petId as PetId), end.revision, (recorded) => {
      const event = eventOf<PetEvent>(recorded);
      return event.type === 'PetPhotoAdded' && event.data.imageId === imageId;
    });
    const added = found && eventOf<PetEvent>(found);
    if (added?.type !== 'PetPhotoAdded') return null;
    if (added.meta.bodyDigest !== bodyDigest) return rejected('idempotency_key_reused');
    const { additionalMetadata: _, uploader: __, ...image } = added.data;
    return { ...image, replayed: true };
  }
}
