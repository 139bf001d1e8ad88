import type { ImageType, PetImage } from '../domain/pets/pet-image.js';

/**
 * Matches a reference to an image in `photos` of a stored pet. A reference contains the path, the id, the type and the digest
 * of the image. Links to photos elsewhere are http or https, so none matches. The reference is not a URL: a stored URL would
 * be wrong after a change of PUBLIC_URL. `publicPhotos` makes the URL before the pet leaves the service.
 */
const REFERENCE = /^image:\/v1\/pets\/[0-9a-f-]{36}\/images\/([0-9a-f-]{36})#([a-z]+)\.([\w-]+)$/;
/**
 * Matches references in the JSON of pets. Before a match, the JSON has `["` or `,"`, which begins an item of a list. Inside a
 * text, JSON puts a backslash before each quotation mark, so neither sequence occurs there, and no part of a text matches.
 */
const IN_JSON = /(?<=[[,]")image:(\/v1\/pets\/[0-9a-f-]{36}\/images\/[0-9a-f-]{36})#[a-z]+\.[\w-]+(?=")/g;

/** The properties of an image that a reference contains. */
export type ReferencedImage = Pick<PetImage, 'imageId' | 'digest' | 'mediaType'>;

/** Returns the path of an image below PUBLIC_URL. */
export const imagePath = (petId: string, imageId: string): string => `/v1/pets/${petId}/images/${imageId}`;

/** Returns the reference to an image, for `photos` of a stored pet. */
export const photoReference = (petId: string, { imageId, mediaType, digest }: ReferencedImage): string =>
  `image:${imagePath(petId, imageId)}#${mediaType.slice('image/'.length)}.${digest}`;

/** Returns the image to which a photo refers, or null if the photo is a link. */
const imageOf = (photo: string): ReferencedImage | null => {
  const [, imageId, type, digest] = REFERENCE.exec(photo) ?? [];
  return imageId && type && digest ? { imageId: imageId as PetImage['imageId'], mediaType: `image/${type}` as ImageType, digest } : null;
};

/** Returns the images among the photos of a stored pet. */
export const imagesOf = (photos: readonly string[] = []): readonly ReferencedImage[] => photos.flatMap((photo) => imageOf(photo) ?? []);

/**
 * Replaces the links among the photos of a pet, and keeps its images (contract 37.4). Returns undefined if `links` is
 * undefined and no image is left.
 */
export const withLinks = (links: readonly string[] | undefined, photos: readonly string[] = []): readonly string[] | undefined => {
  const images = photos.filter((photo) => imageOf(photo));
  return links || images.length > 0 ? [...(links ?? []), ...images] : undefined;
};

/** Returns the photos without the image with this id, or undefined if no photo is left. */
export const withoutImage = (photos: readonly string[] = [], imageId: string): readonly string[] | undefined => {
  const left = photos.filter((photo) => imageOf(photo)?.imageId !== imageId);
  return left.length > 0 ? left : undefined;
};

/** Returns the JSON of stored pets with a URL in place of each reference to an image (contract 37.4). */
export const publicPhotos = (json: string, publicUrl: string): string =>
  // Most pets have no image, and `includes` is fast. The replacement is a function, because `$` is special in replacement texts.
  json.includes('"image:/v1/pets/') ? json.replace(IN_JSON, (_, path: string) => publicUrl + path) : json;
