import type { Gender, Size, Species } from '../../domain/pets/pet.events.js';

/** Which pets come first. `longest`: those that have been in the catalogue the longest. */
export type Order = 'cheapest' | 'dearest' | 'youngest' | 'oldest' | 'newest' | 'longest' | 'smallest' | 'largest';

export type Stage = 'BABY' | 'YOUNG' | 'ADULT' | 'SENIOR';
/** What a preference is about. */
export type Slot = 'species' | 'breed' | 'age' | 'size' | 'budget' | 'children' | 'gender' | 'color' | 'health' | 'allergy';
export type HealthField = 'vaccinated' | 'spayedNeutered' | 'microchipped' | 'specialNeeds';
export type Topic =
  | 'feeding'
  | 'exercise'
  | 'housing'
  | 'vet'
  | 'children'
  | 'grooming'
  | 'training'
  | 'company'
  | 'lifespan'
  | 'settling'
  | 'costs'
  | 'allergies'
  | 'pregnancy'
  | 'adopting'
  | 'visiting'
  | 'application'
  | 'requirements'
  | 'paying'
  | 'returning'
  | 'delivery'
  | 'surrendering'
  | 'orders'
  | 'photos'
  | 'contact'
  | 'away'
  | 'effort'
  | 'place'
  | KindTopic
  | StoreTopic;
/** Topics about which the guide says something for each kind of animal. */
export type KindTopic = 'fear' | 'barking' | 'growth' | 'meals' | 'warmth' | 'room' | 'shopping' | 'toilet' | 'biting';
/** Topics about this store that its section only names. */
export type StoreTopic = 'hours' | 'goods' | 'gift' | 'sexes' | 'naming' | 'law' | 'person' | 'holding' | 'equipment';
/** Traits that customers ask for and that no field of the catalogue states. */
export type Unrecorded =
  | 'temperament'
  | 'energy'
  | 'noise'
  | 'speech'
  | 'coat'
  | 'looks'
  | 'weight'
  | 'home'
  | 'training'
  | 'company'
  | 'solitude'
  | 'care'
  | 'behaviour'
  | 'kinship';
/** A field that a question about a pet can ask for. */
export type Fact =
  'price' | 'age' | 'arrival' | 'breed' | 'size' | 'gender' | 'color' | 'children' | 'status' | 'description' | HealthField;

/** What a word or a phrase means. */
export type Concept =
  | { readonly kind: 'species'; readonly species: Species }
  /** A kind of animal within a species: a breed, or an animal such as the hamster. */
  | { readonly kind: 'breed'; readonly breed: string; readonly species: Species | null }
  /** An animal that the catalogue has no species for, such as a fish. */
  | { readonly kind: 'animal' }
  | { readonly kind: 'pet'; readonly name: string }
  | { readonly kind: 'stage'; readonly stage: Stage; readonly species?: Species }
  | { readonly kind: 'size'; readonly size: Size }
  | { readonly kind: 'kids' }
  /** Words of a customer who does not want to walk a dog. */
  | { readonly kind: 'unwalked' }
  | { readonly kind: 'gender'; readonly gender: Gender }
  | { readonly kind: 'color'; readonly color: string }
  | { readonly kind: 'health'; readonly field: HealthField; readonly value: boolean }
  | { readonly kind: 'unrecorded'; readonly trait: Unrecorded }
  | { readonly kind: 'currency'; readonly code: string }
  /** A unit of age. `months` is its length. */
  | { readonly kind: 'unit'; readonly months: number }
  /** A limit of a number. `of` says what the phrase limits, if its words show this: "younger than" limits an age. */
  | { readonly kind: 'bound'; readonly bound: 'max' | 'min' | 'about'; readonly of?: 'age' | 'money' }
  | { readonly kind: 'slot'; readonly slot: Slot }
  /** A comparison with the pets that were shown before. */
  | { readonly kind: 'relative'; readonly than: 'cheaper' | 'younger' | 'older' | 'smaller' | 'larger' }
  /** `isSoft`: the pet must not be the very first in this order: "not too expensive". */
  | { readonly kind: 'order'; readonly by: Order; readonly isSoft?: true }
  | { readonly kind: 'negator' }
  /**
   * Words of an allergy. An `attack` is what happens near the cause ("sneeze"), a `state` is lasting ("asthma"), and a `label` is of
   * a pet that causes none ("hypoallergenic"). If `opens` is true, the cause follows ("allergic to").
   */
  | { readonly kind: 'symptom'; readonly of: 'state' | 'attack' | 'label'; readonly opens: boolean }
  /** What covers the body of animals, and the species that have it. */
  | { readonly kind: 'covering'; readonly species: readonly Species[] }
  /** Words that look like a negation but accept something: "I don't mind cats". They also end an earlier negation. */
  | { readonly kind: 'acceptance' }
  | { readonly kind: 'correction' }
  /** Words before a second choice: "if you don't have one". */
  | { readonly kind: 'fallback' }
  | { readonly kind: 'indifference' }
  | { readonly kind: 'addition' }
  /** A phrase that contains the name of an animal or another phrase, but has another meaning: "hot dog". */
  | { readonly kind: 'other' }
  /** Words that show why a sentence names an animal: "looking for", "my", "used to have", "do you have", "good with". */
  | { readonly kind: 'want' | 'own' | 'past' | 'query' | 'with' }
  | { readonly kind: 'topic'; readonly topic: Topic }
  | { readonly kind: 'fact'; readonly fact: Fact }
  /** Positions in the list of pets that were shown. `nth` is 1 for the first pet, and -1 for the last. `count` defaults to 1. */
  | { readonly kind: 'ordinal'; readonly nth: number; readonly count?: number }
  | { readonly kind: 'pronoun'; readonly many: boolean }
  | { readonly kind: 'more' | 'compare' | 'details' | 'refuse' | 'greeting' | 'thanks' | 'yes' | 'no' | 'capability' | 'reset' };

/** The kind of a concept. */
export type Kind = Concept['kind'];
