import type { PetId } from '../domain/ids.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/** Deletes the bytes of an image that was removed from its pet, and the key of the image's metadata (contract 37.9). */
export const petPhotoRemovalDeletesImage: Process<PetEvent, ProcessCommand> = {
  name: 'pet-photo-removal-deletes-image',
  on: {
    PetPhotoRemoved: ({ data: { imageId, digest }, meta }) => [
      { type: 'DeleteImage', data: { petId: aggregateIdOf(meta.stream) as PetId, imageId, digest } },
    ],
  },
};
