import { timingSafeEqual } from 'node:crypto';

/** Returns whether two texts are equal. The time of the comparison depends only on their lengths. */
export const isEqualInConstantTime = (one: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)];
  // Texts with equally many characters may have different numbers of bytes, for which timingSafeEqual throws.
  return bytes.length === others.length && timingSafeEqual(bytes, others);
};
