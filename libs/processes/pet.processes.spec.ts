import { describe, it } from '@jest/globals';
import type { ImageId, PetId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { petPhotoRemovalDeletesImage } from './pet.processes.js';

describe('pet-photo-removal-deletes-image', () => {
  const process = processSpecification(petPhotoRemovalDeletesImage);
  const image = { imageId: 'image-1' as ImageId, digest: 'digest-1' };

  describe('the process of a removed photo', () => {
    it('deletes its image (contract 37.9)', () =>
      process
        .given({ type: 'PetPhotoRemoved', data: image, meta: { stream: 'pet-0190-1' } })
        .expect({ type: 'DeleteImage', data: { petId: '0190-1' as PetId, ...image } }));
  });
});
