import type { FieldError } from '../http/problems/error-codes.js';
import type { PetFields } from './pet.dto.js';

/**
 * The maximum size of a pet as JSON, in bytes, without the URLs of its images. The limit keeps a page of a hundred pets,
 * with these URLs, below 9 MB (contract 12.5).
 */
const MAX_PET_BYTES = 65_536;
/** The maximum number of bytes for one UTF-16 unit in JSON: the length of an escape sequence such as `\u001f`. */
const MAX_BYTES_PER_CHARACTER = 6;
/** An upper bound for the size of a pet without its long texts, in bytes. */
const OTHER_BYTES = 4_096;

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
  // Most pets are far below the limit. The estimate avoids the cost of computing their exact size.
  if (characters * MAX_BYTES_PER_CHARACTER + OTHER_BYTES <= MAX_PET_BYTES) return [];
  const bytes = Buffer.byteLength(JSON.stringify(pet));
  if (bytes <= MAX_PET_BYTES) return [];
  const { field } = texts.reduce((longest, text) => (text.length > longest.length ? text : longest));
  return [{ field, message: `must be shorter: a pet has at most ${MAX_PET_BYTES} bytes of JSON, not ${bytes}`, code: 'too_long' }];
};
