import type { Item } from '../reading/token.js';
import type { Sentence } from '../reading/sentence.js';
import type { Species } from '../../domain/pets/pet.events.js';
import { isPerson } from '../suiting/people.js';
import { animalOf, isAnimal } from './own-animal.js';

/** Other words for people who may have an allergy. A number after them is no age, so `isPerson` does not know them. */
const PEOPLE = /^(i'd|we|us|our|you|he|she|her|him|them|they|hubby|missus|flatmate|housemate|family|someone|somebody|everyone)$/;
/** The maximum distance in items between who has the symptoms and the words for them. */
const REACH = 8;

/** Whether the item names somebody who may have symptoms, and not the owner of the animal after it: "my" in "my dog". */
const isSufferer = (items: readonly Item[], at: number): boolean =>
  items[at].concept?.kind === 'kids' ||
  ((isPerson(items[at]) || PEOPLE.test(items[at].text)) && !items.slice(at + 1, at + 4).some(({ concept }) => isAnimal(concept)));

/** Whether the symptom at a position is that of a person. The nearest person or animal before it has it: "my dog is sneezing". */
const isOfPerson = (items: readonly Item[], at: number): boolean => {
  if (/^(sufferer|sufferers|person|people|family|household|patient|patients)$/.test(items[at + 1]?.text ?? '')) return true;
  for (let before = at - 1; before >= Math.max(0, at - REACH); before--) {
    if (isSufferer(items, before)) return true;
    // In "a cat allergy", the cat is the cause.
    if (isAnimal(items[before].concept))
      return (
        items.slice(before + 1, at).every(({ concept }) => concept?.kind === 'covering') && /^(allerg|alerg|alleg)/.test(items[at].text)
      );
    if (items[before].concept?.kind === 'pet') return false;
  }
  return true;
};

/** Whether a sentence says or asks about the allergy of a person (contract 40.5). */
export const hasAllergy = ({ items }: Sentence): boolean =>
  items.some(
    ({ concept, isNegated }, at) =>
      concept?.kind === 'symptom' &&
      // "I don't have allergies"
      !(isNegated && concept.of === 'state' && !isFromPet(items, at)) &&
      (concept.of === 'label' || isOfPerson(items, at)),
  );

const FURRED: readonly Species[] = ['DOG', 'CAT', 'RABBIT', 'OTHER'];

/** The species that cause the allergy that a sentence tells of. All with fur, if it names none. */
export const causesIn = ({ items }: Sentence): readonly Species[] => {
  const named = items.flatMap(({ concept, isNegated }) =>
    concept?.kind === 'covering' ? concept.species : isNegated ? (animalOf(concept)?.species ?? []) : [],
  );
  return named.length > 0 ? named : FURRED;
};

/** Whether the pet must not cause the symptom: "a pet that won't trigger my allergies". */
const isFromPet = (items: readonly Item[], at: number): boolean =>
  items.slice(Math.max(0, at - 4), at).some(({ text }) => /^(trigger|cause|affect|bother|irritate|set|make|give|for)$/.test(text));
