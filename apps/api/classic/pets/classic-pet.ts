import type { PetChanges } from '../../../../libs/application/pets/pet.commands.js';
import type { View } from '../../../../libs/application/request.js';
import {
  SPECIES,
  type ClassicDetails,
  type OtherPhoto,
  type PetDetails,
  type PetStatus,
  type Species,
} from '../../../../libs/domain/pets/pet.events.js';
import { imagePath, publicPhotos } from '../../../../libs/projections/photo-references.js';
import type { FieldError } from '../../http/problems/error-codes.js';
import { isHttpUri } from '../../http/validation/formats.js';
import type { ChangedClassicPet, ClassicPet, NewClassicPet } from './pet.dto.js';
import { classicStatusOf, petStatusOf } from './pet-status.js';

/** The members of a stored pet that the classic variant shows. */
type StoredPet = Pick<PetDetails, 'name' | 'species' | 'photos'> & { readonly status: PetStatus };

/**
 * Returns a pet in the classic shape, or null if the pet is NOT_AVAILABLE. If the pet has no stored category, the name of
 * its category is its species (contract 39.4).
 */
export const classicPet = ({ json, fields }: View, publicUrl: string): ClassicPet | null => {
  const { name, species, photos = [], status: stored } = JSON.parse(publicPhotos(json, publicUrl)) as StoredPet;
  const status = classicStatusOf(stored);
  if (status === null) return null;
  const classicJson = fields['classic'];
  const { category, tags = [], otherPhotos = [] } = (typeof classicJson === 'string' ? JSON.parse(classicJson) : {}) as ClassicDetails;
  const photoUrls = withOthers(photos, otherPhotos);
  return { id: Number(fields['number']), name, category: category ?? { name: species }, photoUrls, tags, status };
};

/** Returns the photos that are addresses. Only these are details of the pet, because `/v1` shows addresses only. */
const addressesIn = (photoUrls: readonly string[]): readonly string[] => photoUrls.filter(isHttpUri);

/** Returns the other photos, with their places. */
const othersIn = (photoUrls: readonly string[]): readonly OtherPhoto[] =>
  photoUrls.flatMap((text, at) => (isHttpUri(text) ? [] : [{ at, text }]));

/**
 * The maximum size of the other photos of a pet, as JSON. It is the maximum of a whole pet under /v1 (contract 12.5), because an
 * event of the pet contains them.
 */
const MAX_OTHER_BYTES = 65_536;

/** Returns the error of other photos that are too large together (contract 39.4). */
export const validateOtherPhotos = ({ photoUrls = [] }: Pick<NewClassicPet, 'photoUrls'>): readonly FieldError[] => {
  const others = photoUrls.filter((text) => !isHttpUri(text));
  if (others.length === 0 || Buffer.byteLength(JSON.stringify(others)) <= MAX_OTHER_BYTES) return [];
  const message = `must be shorter: texts that are no http or https URLs have at most ${MAX_OTHER_BYTES} bytes of JSON together`;
  return [{ field: 'photoUrls', message, code: 'too_long' }];
};

/** Puts the other photos back in their places. If addresses were removed since, the last ones move to the front. */
const withOthers = (addresses: readonly string[], others: readonly OtherPhoto[]): readonly string[] =>
  others.reduce<readonly string[]>((photos, { at, text }) => photos.toSpliced(at, 0, text), addresses);

/** Returns the species that a category names, or OTHER. Ignores the case of letters and a final `s` (contract 39.4). */
const speciesOf = (category: string | undefined): Species => {
  const name = (category ?? '').trim().toUpperCase();
  return SPECIES.find((species) => name === species || name === `${species}S`) ?? 'OTHER';
};

const isSpeciesOnly = ({ id, name }: NonNullable<NewClassicPet['category']>): boolean =>
  id === undefined && SPECIES.some((species) => species === name);

/**
 * Returns the category, the tags and the other photos to store. Omits a category that has no id and only names a species. The pet then shows its
 * species as its category, even after the species changes (contract 39.4).
 */
const classicDetails = (
  { category, tags }: Pick<NewClassicPet, 'category' | 'tags'>,
  otherPhotos: readonly OtherPhoto[],
): ClassicDetails => ({
  ...(category && !isSpeciesOnly(category) && { category }),
  ...(tags && { tags }),
  ...(otherPhotos.length > 0 && { otherPhotos }),
});

/** Returns the details of a new pet. The age is 0, because the classic shape has none. */
export const newPet = (
  body: NewClassicPet,
): { readonly details: PetDetails; readonly status: PetStatus; readonly classic?: ClassicDetails } => {
  const { name, category, tags, photoUrls, status = 'available' } = body;
  const others = othersIn(photoUrls ?? []);
  return {
    details: { name, species: speciesOf(category?.name), ageMonths: 0, ...(photoUrls && { photos: addressesIn(photoUrls) }) },
    status: petStatusOf(status),
    ...((category || tags || others.length > 0) && { classic: classicDetails(body, others) }),
  };
};

/**
 * Returns the changes that make a pet equal to the body. `shown` is the pet before the change. The species changes only if
 * the body has another category name than `shown`. URLs of uploaded images of this pet are left out, because a change of
 * `photos` always keeps these images (contract 39.4).
 */
export const changesOf = (body: ChangedClassicPet, current: ClassicPet, petId: string, publicUrl: string): PetChanges => {
  const { name, category, photoUrls = [], status } = body;
  const imageUrlPrefix = publicUrl + imagePath(petId, '');
  const photos = photoUrls.filter((url) => !url.startsWith(imageUrlPrefix));
  const isCategoryChanged = category?.name !== undefined && category.name !== current.category?.name;
  return {
    details: {
      name,
      photos: addressesIn(photos),
      ...(isCategoryChanged && { species: speciesOf(category.name) }),
    },
    classic: classicDetails(body, othersIn(photos)),
    ...(status && { status: petStatusOf(status) }),
  };
};
