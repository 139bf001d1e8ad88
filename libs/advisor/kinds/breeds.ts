import type { Rank, Aspect } from './aspects.js';

/** The columns of DOG_BREEDS and CAT_BREEDS. */
const DOG_COLUMNS = 'walks flat heat cold quiet coat easy toddler grooming'.split(' ') as readonly Aspect[];
const CAT_COLUMNS = 'quiet coat cuddly away heat flat child grooming'.split(' ') as readonly Aspect[];

/** The plural of each breed, and how it differs from other dogs: one digit for each column. */
const DOG_BREEDS = `labrador retriever: labradors 321320222 | golden retriever: golden retrievers 321320221 | retriever: retrievers 321320222 | beagle: beagles 312201023
  border collie: border collies 302311011 | collie: collies 311310020 | german shepherd: german shepherds 301310011 | dachshund: dachshunds 122102013 | jack russell: jack russells 312201013
  yorkshire terrier: yorkshire terriers 132002100 | terrier: terriers 312201012 | poodle: poodles 222212120 | bulldog: bulldogs 130121122 | french bulldog: french bulldogs 130121123 | boxer: boxers 310121023
  rottweiler: rottweilers 211321012 | husky: huskies 300300011 | chihuahua: chihuahuas 132002103 | pug: pugs 130120122 | shih tzu: shih tzus 131122110 | corgi: corgis 222300111 | greyhound: greyhounds 222032113
  whippet: whippets 222032113 | spaniel: spaniels 312211121 | cocker spaniel: cocker spaniels 312211120 | great dane: great danes 201121013 | doberman: dobermans 312012013 | dalmatian: dalmatians 312120012
  maltese: maltese dogs 132012100 | pomeranian: pomeranians 131200100 | schnauzer: schnauzers 222202121 | akita: akitas 200320001 | malinois: malinois 302211002 | saint bernard: saint bernards 100320011
  pit bull: pit bulls 312122013 | labradoodle: labradoodles 312222120 | cockapoo: cockapoos 222212120 | bernese mountain dog: bernese mountain dogs 100320021 | bichon frise: bichons frises 132122110
  cavalier king charles spaniel: cavaliers 231221121 | australian shepherd: australian shepherds 301310011 | weimaraner: weimaraners 302111013 | vizsla: vizslas 302011023 | shiba inu: shiba inus 222320001
  staffordshire bull terrier: staffordshire bull terriers 311122013 | irish setter: irish setters 301201021 | setter: setters 301201021 | newfoundland: newfoundlands 100320020 | basset hound: basset hounds 121101122`;
const CAT_BREEDS = `maine coon: maine coons 20321331 | siamese: siamese cats 02302323 | british shorthair: british shorthairs 31131332 | ragdoll: ragdolls 30311331 | persian: persian cats 30220320
  bengal: bengal cats 02102023 | sphynx: sphynx cats 13301322 | norwegian forest cat: norwegian forest cats 20221231 | russian blue: russian blues 32122323 | singapura: singapuras 22312323
  birman: birmans 30321331 | scottish fold: scottish folds 31321332 | abyssinian: abyssinians 22212123 | burmese: burmese cats 12302323`;

/** A breed that differs from its species in some aspects. */
export type Breed = { readonly name: string; readonly many: string; readonly ranks: Readonly<Partial<Record<Aspect, Rank>>> };

const breedsOf = (text: string, columns: readonly Aspect[]): readonly Breed[] =>
  [...text.matchAll(/([a-z ]+): ([a-z ]+) (\d+)/g)].map(([, name, many, digits]) => ({
    name: name.trim(),
    many,
    ranks: Object.fromEntries(columns.map((one, nth) => [one, Number(digits[nth]) as Rank])),
  }));

/** Well-known breeds, and what is usual for each of them. */
export const BREEDS: Readonly<Partial<Record<'DOG' | 'CAT', readonly Breed[]>>> = {
  DOG: breedsOf(DOG_BREEDS, DOG_COLUMNS),
  CAT: breedsOf(CAT_BREEDS, CAT_COLUMNS),
};

/** Breeds with more to say about an aspect than the rank. */
export const BREED_NOTES: Readonly<Record<string, Readonly<Partial<Record<Aspect, string>>>>> = {
  husky: {
    heat: 'Huskies have a thick coat and suffer badly in heat: they need cool rooms, and walks in the early morning and late evening.',
    flat: 'Huskies need hours of running each day and howl, so a flat suits them badly.',
  },
  pug: { heat: 'Pugs have a short nose, breathe badly in heat and can die of heat stroke.' },
  bulldog: { heat: 'Bulldogs have a short nose, breathe badly in heat and can die of heat stroke.' },
  'french bulldog': { heat: 'French bulldogs have a short nose, breathe badly in heat and can die of heat stroke.' },
  dachshund: { stairs: 'Stairs harm the long back of a dachshund: carry it.' },
  poodle: { coat: 'Poodles lose little hair, but need brushing every few days and regular trimming. No dog is free of allergens.' },
  labradoodle: {
    coat: 'Labradoodles often lose little hair, but not all of them, and need regular trimming. No dog is free of allergens.',
  },
  'border collie': {
    easy: 'Border collies need work for their head and legs every day, and are hard for a beginner.',
  },
  sphynx: { coat: 'Sphynx cats have no coat, but the allergens of cats are in saliva and skin, so they are not free of them.' },
  beagle: {
    small: 'Beagles are hunting dogs: beside chickens, rabbits and other small animals they need a secure fence and an eye on them.',
  },
  'jack russell': {
    small:
      'Jack Russells have a strong drive to hunt, so chickens, rabbits and rodents are not safe from them: keep them apart by a secure fence.',
  },
  greyhound: {
    walks: 'Greyhounds sprint and then sleep: they like walks, and are no partners for a long run.',
    small: 'Greyhounds chase small animals.',
  },
};

/** Ranks of breeds for aspects that have no column. */
export const BREED_RANKS: Readonly<Record<string, Readonly<Partial<Record<Aspect, Rank>>>>> = {
  dachshund: { stairs: 0 },
  'basset hound': { stairs: 0 },
};

/** Sentences for breeds of dogs by rank, where the usual sentence of the rank is about other animals. */
export const DOG_SENTENCES: Readonly<Partial<Record<Aspect, readonly [string, string, string, string]>>> = {
  toddler: [
    '{Many} do not fit with a baby or a toddler: they are too fragile, or too strong and wary.',
    '{Many} are lively, strong or easily startled, so beside a baby or a toddler they are only for experienced people with much time.',
    '{Many} can live with a baby or a toddler, but never leave them alone together, and ask whether you have time for both.',
    '{Many} can live with a toddler, but never leave them alone together.',
  ],
  quiet: [
    '{Many} bark or howl much, so think of the neighbours.',
    '{Many} bark readily.',
    '{Many} usually bark moderately.',
    '{Many} usually bark little.',
  ],
};

/** What breeds are like and what they were bred for, in one sentence. */
export const PORTRAITS: Readonly<Record<string, string>> = {
  beagle: 'Beagles are friendly scent hounds for a family: they follow every trail, often with a loud voice, and love food.',
  'jack russell': 'Jack Russells are small, fast and bold terriers with a strong drive to hunt and dig: they need much to do.',
  'border collie': 'Border collies are very clever herding dogs: they need work for head and legs every day.',
  'labrador retriever': 'Labradors are friendly, strong and greedy retrievers: they like people, water and carrying things.',
  'golden retriever': 'Golden retrievers are friendly, gentle and large: they like people, water and carrying things, and need brushing.',
  'german shepherd': 'German shepherds are loyal, watchful and strong: they need training, tasks and a calm hand.',
  dachshund: 'Dachshunds are small, brave and stubborn hunting dogs with a long back that stairs and jumps harm.',
  poodle: 'Poodles are clever and lively, lose little hair and need regular trimming.',
  husky: 'Huskies are friendly sled dogs: they run for hours, howl, and hunt.',
  chihuahua: 'Chihuahuas are tiny, devoted and loud, and easily hurt.',
  'maine coon': 'Maine Coons are very large, friendly and gentle, with long hair that needs brushing.',
  ragdoll: 'Ragdolls are large, calm and devoted, and like company, with long hair that needs brushing.',
  siamese: 'Siamese cats are slim, lively and talk much: they want company and play.',
  'british shorthair': 'British shorthairs are calm, sturdy and independent, and seldom want to be carried.',
  singapura: 'Singapuras are very small, curious and lively, and seek people.',
};
