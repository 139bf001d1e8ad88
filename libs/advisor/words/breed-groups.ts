import type { Species } from '../../domain/pets/pet.events.js';

/** Breeds, and kinds of animals, that are close to each other. A breed can be in several groups. */
const GROUPS: Readonly<Record<string, string>> = {
  retriever: 'labrador retriever, golden retriever, retriever, labradoodle',
  'herding dog': 'border collie, collie, german shepherd, malinois, corgi',
  terrier: 'jack russell terrier, jack russell, yorkshire terrier, bull terrier, terrier, pit bull, schnauzer',
  hound: 'beagle, dachshund, greyhound, whippet',
  spaniel: 'spaniel, cocker spaniel, cockapoo',
  poodle: 'poodle, labradoodle, cockapoo',
  'bulldog or mastiff': 'bulldog, french bulldog, boxer, rottweiler, great dane, doberman, saint bernard, dalmatian',
  'toy dog': 'chihuahua, pug, maltese, pomeranian, shih tzu, french bulldog, yorkshire terrier',
  spitz: 'husky, akita, pomeranian',
  'mixed breed': 'mixed breed, mixed breed dog, mix, labradoodle, cockapoo',
  'short-legged dog': 'dachshund, basset hound',
  'longhair cat': 'maine coon, ragdoll, persian, birman, norwegian forest cat',
  'shorthair cat': 'domestic shorthair, british shorthair, european shorthair, russian blue, scottish fold, tabby',
  'oriental cat': 'siamese, abyssinian, singapura, bengal, sphynx',
  'dwarf rabbit': 'netherland dwarf, dwarf rabbit, lionhead',
  'lop rabbit': 'holland lop, lop rabbit',
  parrot: 'budgerigar, cockatiel, african grey parrot, parrot, cockatoo, macaw, lovebird, conure',
  songbird: 'canary, finch',
  lizard: 'leopard gecko, gecko, bearded dragon, lizard, iguana, chameleon',
  snake: 'corn snake, snake, python, boa',
  tortoise: 'tortoise, turtle, hermann tortoise',
  rodent: 'guinea pig, hamster, syrian hamster, gerbil, chinchilla, rat, mouse, degu, rodent',
};

/** Groups that customers ask for by their name: "rodents". Each of their breeds meets the wish. */
const ASKED_FOR: ReadonlySet<string> = new Set(['rodent', 'lizard', 'songbird', 'herding dog', 'short-legged dog']);

/** The breeds that meet the wish for a breed: itself, and those of the group if it is one. */
export const breedsMeant = (breed: string): readonly string[] =>
  ASKED_FOR.has(breed) ? [breed, ...(GROUPS[breed]?.split(', ') ?? [])] : [breed];

/** Animals that no species of the catalogue has, and what customers may mean by them. */
const NEAREST: Readonly<Record<string, readonly [species: Species, breeds: string]>> = {
  dragon: ['REPTILE', 'bearded dragon'],
  dinosaur: ['REPTILE', 'bearded dragon, tortoise'],
  pig: ['OTHER', 'guinea pig'],
};

/** Returns the species and the breeds that come closest to an animal without a species, or null. */
export const nearestTo = (animal: string): { readonly species: Species; readonly breeds: readonly string[] } | null => {
  const found = NEAREST[animal] ?? NEAREST[animal.replace(/s$/, '')] ?? NEAREST[animal.replace(/es$/, '')];
  return found === undefined ? null : { species: found[0], breeds: found[1] === '' ? [] : found[1].split(', ') };
};

/** The groups of breeds. `breeds` are in lower case, like the breeds of preferences. */
export const BREED_GROUPS: readonly { readonly name: string; readonly breeds: readonly string[] }[] = Object.entries(GROUPS).map(
  ([name, breeds]) => ({ name, breeds: breeds.split(', ') }),
);
