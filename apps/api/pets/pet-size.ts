import type { FieldError } from '../http/problems/error-codes.js';
import type { PetFields } from './pet.dto.js';

/** The maximum size of a pet as JSON (contract 12.5). A page of a hundred pets has at most 6.4 MB. */
const MOST_PET_BYTES = 65_536;
/** The maximum size of a character in JSON, as an escape. */
const BYTES_A_CHARACTER = 6;
/** Exceeds the size of a pet without its long texts. */
const REST = 4_096;

/** Returns the long texts of a pet by field. */
const longTexts = ({ photos = [], description = '', medicalInfo = {} }: PetFields): Readonly<Record<string, readonly string[]>> => ({
  photos,
  description: [description],
  'medicalInfo.healthNotes': [medicalInfo.healthNotes ?? ''],
});

/** Rejects a pet that is too large, and names its longest field. */
export const validatePetSize = (pet: PetFields): readonly FieldError[] => {
  const texts = Object.entries(longTexts(pet)).map(([field, all]) => ({ field, length: all.reduce((sum, { length }) => sum + length, 0) }));
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  // Most pets are too small to need exact counting.
  if (characters * BYTES_A_CHARACTER + REST <= MOST_PET_BYTES) return [];
  const bytes = Buffer.byteLength(JSON.stringify(pet));
  if (bytes <= MOST_PET_BYTES) return [];
  const { field } = texts.reduce((longest, text) => (text.length > longest.length ? text : longest));
  return [{ field, message: `must be shorter: a pet has at most ${MOST_PET_BYTES} bytes of JSON, not ${bytes}`, code: 'too_long' }];
};
