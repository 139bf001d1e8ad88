import { describe, expect, it } from '@jest/globals';
import { SPECIES } from '../../domain/pets/pet.events.js';
import { sentencesOf } from '../reading/sentence.js';
import { tokensOf } from '../reading/token.js';
import { PREFERENCE_BOOK } from '../words/books.js';
import { sectionOf, sectionText, foodAnswer } from './care.js';

const TOPICS = ['feeding', 'exercise', 'housing', 'vet', 'children', 'grooming', 'training', 'company', 'lifespan', 'settling'] as const;

describe('the care guide (contract 40.5)', () => {
  it('has every section for every species, each with its own title', () => {
    const titles = SPECIES.flatMap((species) => TOPICS.map((topic) => sectionOf(topic, species)?.title));
    expect(titles).not.toContain(undefined);
    expect(new Set(titles).size).toBe(SPECIES.length * TOPICS.length);
  });

  it('has, for an unknown species, only the sections about every pet', () => {
    expect(sectionOf('feeding', null)).toBeNull();
    expect(sectionOf('costs', null)?.title).toBe('Every pet: costs');
  });

  it('names the section, and is shorter for the turbo model', () => {
    const section = { title: 'Dogs: feeding', short: 'Short.', more: 'More.' };
    expect(sectionText(section, false)).toBe('From the guide, "Dogs: feeding": Short. More.');
    expect(sectionText(section, true)).toBe('From the guide, "Dogs: feeding": Short.');
  });

  it('warns of dangerous foods', () => {
    const answer = (text: string, species: 'DOG' | 'RABBIT'): string | null =>
      foodAnswer(sentencesOf(tokensOf(text), PREFERENCE_BOOK), species);
    expect(answer('Can my dog eat grapes?', 'DOG')).toContain('do not give grapes');
    expect(answer('Is avocado safe for rabbits?', 'RABBIT')).toContain('do not give avocado');
    expect(answer('Can my dog eat carrots?', 'DOG')).toBeNull();
  });
});
