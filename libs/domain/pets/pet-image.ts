import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Personal } from '../../eventsourcing/sealed.js';
import type { ImageId, PetId, UserId } from '../ids.js';

/** The media types of stored images (contract 37.2). */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The maximum number of photos of a pet: links and images together (contract 37.1). */
export const MAX_PHOTOS = 100;

/** An image as it is stored. Its bytes are in the blob whose name `blobOf` returns. */
export type PetImage = {
  readonly imageId: ImageId;
  readonly mediaType: ImageType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The number of bytes. */
  readonly bytes: number;
  /** SHA-256 of the bytes, base64url. */
  readonly digest: string;
  /** The account whose token uploaded the image. Absent if the token did not belong to an account. */
  readonly uploader?: UserId;
  /**
   * The text that was sent with the image. It is encrypted with a key of this one image. If there is an `uploader`, it is
   * also encrypted with the key of that account.
   */
  readonly additionalMetadata?: Personal;
};

/** Identifies an image and its bytes. */
export type ImageReference = Pick<PetImage, 'imageId' | 'digest'>;

/** The images of a pet. The ids of removed images are kept, so that a repeated upload does not add such an image again. */
export type PetImages = { readonly present: readonly ImageReference[]; readonly removed: readonly ImageId[] };

export const NO_IMAGES: PetImages = { present: [], removed: [] };

export type ImageRejection =
  /** The pet has no image with this id. */
  | 'image_not_found'
  /** The pet would have more than MAX_PHOTOS links and images. */
  | 'too_many_photos';

/** Returns a rejection if a pet cannot have so many links and images, otherwise null. */
export const checkPhotoCount = (links: number, images: number): Rejection<ImageRejection> | null =>
  links + images > MAX_PHOTOS ? rejected('too_many_photos', ['photos']) : null;

/** Returns whether the pet has this image, or had it before. */
export const isKnownImage = ({ present, removed }: PetImages, imageId: ImageId): boolean =>
  removed.includes(imageId) || present.some((image) => image.imageId === imageId);

/** Returns the images after PetPhotoAdded. */
export const addImage = ({ present, removed }: PetImages, { imageId, digest }: ImageReference): PetImages => ({
  present: [...present, { imageId, digest }],
  removed,
});

/** Returns the images after PetPhotoRemoved. */
export const removeImage = ({ present, removed }: PetImages, imageId: ImageId): PetImages => ({
  present: present.filter((image) => image.imageId !== imageId),
  removed: [...removed, imageId],
});

/**
 * Returns the name of an image's blob. The name contains the digest, so that two uploads with the same idempotency key never
 * overwrite each other (contract 37.7).
 */
export const blobOf = (petId: string, { imageId, digest }: ImageReference): string => `${petId}.${imageId}.${digest}`;

/** Returns the pet and the image that a blob's name identifies, or null if `blobOf` cannot have returned this name. */
export const imageOfBlob = (name: string): (ImageReference & { readonly petId: PetId }) | null => {
  const [petId, imageId, digest, ...rest] = name.split('.');
  if (!petId || !imageId || !digest || rest.length > 0) return null;
  return { petId: petId as PetId, imageId: imageId as ImageId, digest };
};
