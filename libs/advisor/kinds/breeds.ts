import type { Rank } from './aspect.js';
import type { Aspect } from './aspects.js';

/** The columns of DOG_BREEDS and CAT_BREEDS. */
const DOG_COLUMNS = 'walks flat heat cold quiet coat easy toddler'.split(' ') as readonly Aspect[];
const CAT_COLUMNS = 'quiet coat cuddly away heat flat child'.split(' ') as readonly Aspect[];

/** The plural of each breed, and how it differs from other dogs: one digit for each column. */
const DOG_BREEDS = `labrador retriever: labradors 32132022 | golden retriever: golden retrievers 32132022 | retriever: retrievers 32132022 | beagle: beagles 31220102
  border collie: border collies 30231101 | collie: collies 31131002 | german shepherd: german shepherds 30131001 | dachshund: dachshunds 12210201 | jack russell: jack russells 31220101
  yorkshire terrier: yorkshire terriers 13200210 | terrier: terriers 31220101 | poodle: poodles 22221212 | bulldog: bulldogs 13012112 | french bulldog: french bulldogs 13012112 | boxer: boxers 31012102
  rottweiler: rottweilers 21132101 | husky: huskies 30030001 | chihuahua: chihuahuas 13200210 | pug: pugs 13012012 | shih tzu: shih tzus 13112211 | corgi: corgis 22230011 | greyhound: greyhounds 22203211
  whippet: whippets 22203211 | spaniel: spaniels 31221112 | cocker spaniel: cocker spaniels 31221112 | great dane: great danes 20112101 | doberman: dobermans 31201201 | dalmatian: dalmatians 31212001
  maltese: maltese dogs 13201210 | pomeranian: pomeranians 13120010 | schnauzer: schnauzers 22220212 | akita: akitas 20032000 | malinois: malinois 30221100 | saint bernard: saint bernards 10032001
  pit bull: pit bulls 31212201 | labradoodle: labradoodles 31222212 | cockapoo: cockapoos 22221212 | bernese mountain dog: bernese mountain dogs 10032002 | bichon frise: bichons frises 13212211
  cavalier king charles spaniel: cavaliers 23122112 | australian shepherd: australian shepherds 30131001 | weimaraner: weimaraners 30211101 | vizsla: vizslas 30201102 | shiba inu: shiba inus 22232000
  staffordshire bull terrier: staffordshire bull terriers 31112201 | irish setter: irish setters 30120102 | setter: setters 30120102 | newfoundland: newfoundlands 10032002 | basset hound: basset hounds 12110112`;
const CAT_BREEDS = `maine coon: maine coons 2032133 | siamese: siamese cats 0230232 | british shorthair: british shorthairs 3113133 | ragdoll: ragdolls 3031133 | persian: persian cats 3022032
  bengal: bengal cats 0210202 | sphynx: sphynx cats 1330132 | norwegian forest cat: norwegian forest cats 2022123 | russian blue: russian blues 3212232 | singapura: singapuras 2231232
  birman: birmans 3032133 | scottish fold: scottish folds 3132133 | abyssinian: abyssinians 2221212 | burmese: burmese cats 1230232`;

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
  greyhound: {
    walks: 'Greyhounds sprint and then sleep: they like walks, and are no partners for a long run.',
    small: 'Greyhounds chase small animals.',
  },
};
