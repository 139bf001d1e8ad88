import type { PetChanges } from '../../../../libs/application/pets/change-pet.handler.js';
import type { View } from '../../../../libs/application/request.js';
import { SPECIES, type ClassicDetails, type PetDetails, type PetStatus, type Species } from '../../../../libs/domain/pets/pet.events.js';
import { imagePath, publicPhotos } from '../../../../libs/projections/photo-references.js';
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
  const { category, tags = [] } = (typeof classicJson === 'string' ? JSON.parse(classicJson) : {}) as ClassicDetails;
  return { id: Number(fields['number']), name, category: category ?? { name: species }, photoUrls: photos, tags, status };
};

/** Returns the species that a category names, or OTHER. Ignores the case of letters and a final `s` (contract 39.4). */
const speciesOf = (category: string | undefined): Species => {
  const name = (category ?? '').trim().toUpperCase();
  return SPECIES.find((species) => name === species || name === `${species}S`) ?? 'OTHER';
};

const isSpeciesOnly = ({ id, name }: NonNullable<NewClassicPet['category']>): boolean =>
  id === undefined && SPECIES.some((species) => species === name);

/**
 * Returns the category and tags to store. Omits a category that has no id and only names a species. The pet then shows its
 * species as its category, even after the species changes (contract 39.4).
 */
const classicDetails = ({ category, tags }: Pick<NewClassicPet, 'category' | 'tags'>): ClassicDetails => ({
  ...(category && !isSpeciesOnly(category) && { category }),
  ...(tags && { tags }),
});

/** Returns the details of a new pet. The age is 0, because the classic shape has none. */
export const newPet = (
  body: NewClassicPet,
): { readonly details: PetDetails; readonly status: PetStatus; readonly classic?: ClassicDetails } => {
  const { name, category, tags, photoUrls, status = 'available' } = body;
  return {
    details: { name, species: speciesOf(category?.name), ageMonths: 0, ...(photoUrls && { photos: photoUrls }) },
    status: petStatusOf(status),
    ...((category ?? tags) && { classic: classicDetails(body) }),
  };
};

/**
 * Returns the changes that make a pet equal to the body. `shown` is the pet before the change. The species changes only if
 * the body has another category name than `shown`. URLs of uploaded images of this pet are left out, because a change of
 * `photos` always keeps these images (contract 39.4).
 */
export const changesOf = (body: ChangedClassicPet, shown: ClassicPet, petId: string, publicUrl: string): PetChanges => {
  const { name, category, photoUrls = [], status } = body;
  const imageUrlPrefix = publicUrl + imagePath(petId, '');
  const isCategoryChanged = category?.name !== undefined && category.name !== shown.category?.name;
  return {
    details: {
      name,
      photos: photoUrls.filter((url) => !url.startsWith(imageUrlPrefix)),
      ...(isCategoryChanged && { species: speciesOf(category.name) }),
    },
    classic: classicDetails(body),
    ...(status && { status: petStatusOf(status) }),
  };
};
