import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { imageSubject } from '../../domain/events.js';
import type { ImageId, PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import { blobOf, type ImageReference } from '../../domain/pets/pet-image.js';
import { isRejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Blobs } from '../../ports/blobs.port.js';
import { PETS } from '../aggregates.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf } from '../request.js';
import { AGGREGATES } from '../tokens.js';
import { UploadPetPhotoHandler } from './upload-image.handler.js';

/** Removes an image of a pet. A domain process then deletes the bytes of the image. Returns null on success. */
export class RemovePetPhoto extends Command<null | CommandRejection<PetRejection>> {
  constructor(
    readonly petId: string,
    readonly imageId: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RemovePetPhoto)
export class RemovePetPhotoHandler implements ICommandHandler<RemovePetPhoto> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: Aggregates) {}

  async execute({ petId, imageId, request }: RemovePetPhoto): Promise<ResultOf<RemovePetPhoto>> {
    const command = { type: 'RemovePetPhoto', data: { petId: petId as PetId, imageId: imageId as ImageId } } as const;
    const outcome = await this.aggregates.handle(PETS, petId, command, commandContext(request));
    return isRejection(outcome) ? outcome : null;
  }
}

/** Deletes the bytes of a removed image, and the key of its metadata. A repeated call does nothing. */
export const deleteImage = async (
  { blobs, keys }: { readonly blobs: Pick<Blobs, 'remove'>; readonly keys: Pick<KeyVault, 'destroyPersonalKey'> },
  { petId, ...image }: { readonly petId: PetId } & ImageReference,
): Promise<void> => {
  await blobs.remove(blobOf(petId, image));
  await keys.destroyPersonalKey(imageSubject(image.imageId));
};

/** The command handlers of images, for the module. */
export const IMAGE_COMMAND_HANDLERS = [UploadPetPhotoHandler, RemovePetPhotoHandler];
