import type { Stage } from '../words/concept.js';
import type { AgeRange } from './preferences.js';

/** The ages of the stages in months. A puppy or kitten is less than a year old, and a senior at least seven years. */
export const STAGE_MONTHS: Readonly<Record<Stage, AgeRange>> = {
  BABY: { max: 11, stage: 'BABY' },
  YOUNG: { max: 24, stage: 'YOUNG' },
  ADULT: { min: 12, max: 95, stage: 'ADULT' },
  SENIOR: { min: 84, stage: 'SENIOR' },
};
/**
 * The ages that remain when a customer excludes a stage. For ADULT, every age remains: the younger and the older ages would
 * be two ranges, but preferences have only one.
 */
export const WITHOUT_STAGE: Readonly<Record<Stage, AgeRange>> = { BABY: { min: 12 }, YOUNG: { min: 25 }, ADULT: {}, SENIOR: { max: 83 } };
