import type { KindText } from './aspects.js';

const BIRD_CATS =
  'No bird is really safe with a cat: cats hunt birds. Keep the bird in a room that the cat never enters, and never let the two meet.';
const BIRD_COAT = 'Birds have no hair, but their feathers leave dust that some people react to.';

/** What the guide says about birds and reptiles, kind by kind. */
export const BIRDS_AND_REPTILES: Readonly<Record<string, KindText>> = {
  budgie: {
    many: 'budgies',
    species: 'BIRD',
    years: '5 to 10',
    words: 'budgerigar,budgie,parakeet',
    summary: 'Budgies are lively, need another budgie and daily flight, and chatter much of the day.',
    cats: BIRD_CATS,
    coat: BIRD_COAT,
    quiet: 'Budgies chatter and chirp much of the day, less loudly than larger parrots.',
    cage: 'Budgies live in a wide cage or aviary, as a pair, and fly in the room every day.',
  },
  cockatiel: {
    many: 'cockatiels',
    species: 'BIRD',
    years: '15 to 20',
    summary: 'Cockatiels are gentle, whistle, need another cockatiel and daily flight, and leave feather dust.',
    cats: BIRD_CATS,
    coat: 'Cockatiels leave much feather dust, which some people react to.',
  },
  canary: {
    many: 'canaries',
    species: 'BIRD',
    years: '6 to 10',
    summary: 'Canaries sing, above all the males, and are to watch and to listen to.',
    cats: BIRD_CATS,
    coat: BIRD_COAT,
    talks: 'Canaries do not talk: they sing, above all the males.',
    quiet: 'Canaries sing, above all the males, but hardly screech. No bird is silent.',
    cuddly: 'Canaries are to watch and to listen to, not to touch.',
  },
  finch: {
    many: 'finches',
    species: 'BIRD',
    years: '5 to 8',
    summary: 'Finches live in groups in a wide cage, and are to watch.',
    cats: BIRD_CATS,
  },
  lovebird: {
    many: 'lovebirds',
    species: 'BIRD',
    years: '10 to 15',
    summary: 'Lovebirds live in pairs, are loud for their size, and bite when they are afraid.',
    cats: BIRD_CATS,
  },
  parrot: {
    many: 'large parrots',
    species: 'BIRD',
    years: '40 or more',
    words: 'parrot,african grey,cockatoo,macaw,conure,amazon',
    summary: 'Large parrots are clever, loud, live for decades, and need hours of company each day.',
    cats: 'A large parrot and a cat can hurt each other badly: keep them in separate rooms.',
    coat: BIRD_COAT,
  },
  'leopard gecko': {
    many: 'leopard geckos',
    species: 'REPTILE',
    years: '10 to 20',
    words: 'gecko',
    summary: 'Leopard geckos are quiet, live alone in a warm terrarium, wake at dusk and eat insects.',
    easy: 'Leopard geckos suit a beginner who is ready for a thermostat and for insects as food.',
    child: 'Leopard geckos are to watch for a child. Everybody washes their hands after touching them.',
  },
  'bearded dragon': {
    many: 'bearded dragons',
    species: 'REPTILE',
    years: 'about 10',
    summary: 'Bearded dragons are awake by day, get tame, live alone, and need strong heat and UVB light.',
    easy: 'Bearded dragons suit a beginner who is ready for heat, UVB light and insects as food.',
    costs: 'Bearded dragons need a large terrarium, and heat and UVB lamps that use power and are replaced regularly.',
  },
  'corn snake': {
    many: 'corn snakes',
    species: 'REPTILE',
    years: '15 to 20',
    words: 'snake,python,boa',
    summary: 'Corn snakes are quiet, live alone, eat thawed rodents every one to two weeks, and hide by day.',
    nolive: 'Corn snakes eat whole rodents, thawed from frozen. They need no live food.',
    plants: 'Corn snakes eat rodents, never plants.',
  },
  tortoise: {
    many: 'tortoises',
    species: 'REPTILE',
    years: '50 or more',
    summary: 'Tortoises eat plants, need a large outdoor area in summer and hibernation as a vet advises, and live for decades.',
    flat: 'Tortoises are hard to keep well in a flat: they need a large outdoor area in the warm season.',
  },
  turtle: {
    many: 'water turtles',
    species: 'REPTILE',
    years: '20 to 40',
    summary: 'Water turtles need a large, filtered tank with a warm dry place, and live for decades.',
  },
  chameleon: {
    many: 'chameleons',
    species: 'REPTILE',
    years: '5 to 8',
    summary: 'Chameleons are delicate, live alone, and are only to watch.',
  },
  iguana: {
    many: 'iguanas',
    species: 'REPTILE',
    years: '15 to 20',
    summary: 'Iguanas grow to well over a metre, and need a heated room of their own.',
  },
};
