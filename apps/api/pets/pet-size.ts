import type { FieldError } from '../http/problems/error-codes.js';
import type { PetFields } from './pet.dto.js';

/** A pet has at most so many bytes of JSON, so that a page of a hundred has 6.4 MB. */
const MOST_PET_BYTES = 65_536;
/** A character takes so many bytes at most, as an escape. */
const BYTES_A_CHARACTER = 6;
/** All that a pet has beside its long texts takes less. */
const REST = 4_096;

/** The long texts of a pet, by the field that holds them. */
const longTexts = ({ photos = [], description = '', medicalInfo = {} }: PetFields): Readonly<Record<string, readonly string[]>> => ({
  photos,
  description: [description],
  'medicalInfo.healthNotes': [medicalInfo.healthNotes ?? ''],
});

/** Names the longest field of a pet that is too large as a whole. */
export const validatePetSize = (pet: PetFields): readonly FieldError[] => {
  const texts = Object.entries(longTexts(pet)).map(([field, all]) => ({ field, length: all.reduce((sum, { length }) => sum + length, 0) }));
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  // Most pets are so small that nothing needs to be counted.
  if (characters * BYTES_A_CHARACTER + REST <= MOST_PET_BYTES) return [];
  const bytes = Buffer.byteLength(JSON.stringify(pet));
  if (bytes <= MOST_PET_BYTES) return [];
  const { field } = texts.reduce((longest, text) => (text.length > longest.length ? text : longest));
  return [{ field, message: `must be shorter: a pet has at most ${MOST_PET_BYTES} bytes of JSON, not ${bytes}`, code: 'too_long' }];
};
