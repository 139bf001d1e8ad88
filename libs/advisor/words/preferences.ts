import type { Phrases } from './phrases.js';
import type { Unrecorded } from './concept.js';

const traits = (trait: Unrecorded, words: string): Phrases[number] => [words, { kind: 'unrecorded', trait }];

/** Words for traits that customers ask for and that no field of a pet states. */
export const UNRECORDED: Phrases = [
  traits(
    'temperament',
    'friendly, friendliest, friendlier, calm, calmest, calmer, gentle, gentlest, affectionate, cuddly, cuddliest, cuddle, cuddles, cuddling, snuggle, snuggles, quiet temperament, playful, loyal, sweet, sweetest, shy, timid, nervous, anxious, aggressive, aggression, ' +
      'easygoing, easy going, laid back, chilled, chill, relaxed, patient, loving, snuggly, bite, bites, biting, independent, personality, temperament, character, well behaved, good natured, lap, intelligent, smart, smartest, clever, cleverest, protective, guard, guards, ' +
      'watchdog, brave, curious, confident, sociable, outgoing, fun, funny, likes being held, likes to be held, being held, being picked up, moody, grumpy, wild, crazy, boisterous, hectic, hyperactive, rough, mean, likes people, loves people, emotional support, therapy',
  ),
  traits(
    'energy',
    'active, energetic, energy, low maintenance, easy to care for, much walking, many walks, lots of walks, little walking, few walks, short walks, much exercise, little exercise, lazy, laziest, low energy, high energy, lots of energy, sporty, hyper, hyperactive, lively, couch potato, running partner, running buddy, running mate, jogging, jogs, jogger, jog with, run with, runs with, likes to run, like to run, loves to run, love to run, likes running, ' +
      'loves running, go running, goes running, running, hiking, hikes, hike, agility, frisbee, frisbees, fetch, keep up, keeps up, long walks, sleeps a lot, sleepy, sleeps all day, sleep all day, likes to walk, loves walks, likes walks, likes to swim, loves to swim, swim, swims, swimming',
  ),
  traits(
    'noise',
    'quiet, quieter, quietest, silent, noise, noisy, noisier, loud, louder, bark, barks, barking, barker, barky, yappy, yap, yaps, howl, howls, meow, meows, meowing, screech, screeches, screeching, scream, vocal',
  ),
  traits('speech', 'talking, talks, can talk, speaks, speak, sings, sing, singing, says words, mimics'),
  traits(
    'coat',
    'shed, sheds, shedding, moult, moults, moulting, long haired, short haired, fluffy, fluffiest, hairless, longhair, soft coat',
  ),
  traits(
    'looks',
    'cute, cutest, pretty, prettiest, beautiful, handsome, good looking, eyes, floppy ears, long ears, ears, long tail, short tail, tail, markings, spots',
  ),
  traits('weight', 'kg, kgs, kilo, kilos, kilogram, kilograms, lbs, lb, weigh, weighs, weight, lightweight, heavy, light weight'),
  traits(
    'home',
    'apartment, flat, studio, garden, yard, house, farm, indoor, indoors, outdoor, outdoors, balcony, city, tiny room, small room, one room, dorm, dorm room, landlord, rented, condo, caravan, boat, stairs',
  ),
  traits(
    'training',
    'house trained, housetrained, potty trained, house broken, housebroken, toilet trained, trained, litter trained, obedient, easy to train, easily trained, trainable, tricks, knows tricks, does tricks, well trained, assistance dog, service dog, walks on a lead, on a leash',
  ),
  traits(
    'solitude',
    'left alone, be alone, home alone, stay alone, stays alone, alone all day, alone during, on its own, on his own, on her own',
  ),
  traits(
    'kinship',
    'siblings, twins, brother and sister, two brothers, two sisters, littermates, litter mates, same litter, bonded pair, bonded, related to each other, belong together, already friends, friends already, are friends, know each other, each other already, live together already, used to each other',
  ),
  traits('care', 'easy care, easy to look after, little care, not much care, not much work, high maintenance, hardy'),
  traits(
    'behaviour',
    'destroy, destroys, destructive, chew, chews, chewing, scratch, scratches, scratching, digs, digging, escape, escapes, escape artist, jumps, jumps up, steals, steal, begs, drool, drools, drooling, slobber, slobbers, nocturnal, awake, fussy eater, picky eater, gets along with everyone, travels well, car sick, ' +
      'catch mice, catches mice, catching mice, chase, chases, hunts, hunt',
  ),
];

/** Every combination of the words before and after, as phrases. */
const combined = (before: string, after: string): string =>
  before
    .split(', ')
    .flatMap((first) => after.split(', ').map((second) => `${first} ${second}`))
    .join(',');

const STATES =
  'allergy, allergies, allergic, allergen, allergens, asthma, asthmatic, hay fever, hayfever, alergy, alergies, alergic, allergys, allegic, allergie, allerges, allergik, alergik, athsma, astma, ashtma, asthmatics';
const ATTACKS =
  'sneeze, sneezes, sneezing, sneezy, sneezed, wheeze, wheezes, wheezing, wheezy, itch, itches, itchy, itching, hives, rash, rashes, a rash, stuffy, stuffed up, sniffles, sniffly, runny nose, runny noses, nose run, nose runs, noses run, ' +
  'watery eyes, eyes water, eyes watering, red eyes, puffy eyes, cough, coughs, coughing, asthma attack, asthma attacks, react badly, reacts badly, flare up, flares up, flare ups, breathing problems, trouble breathing, congested, blocked nose';

/** Words of allergies, and of what causes them. */
export const ALLERGIES: Phrases = [
  [
    combined(
      'allergic, allergy, allergies, alergic, allegic, alergies, allergik, react, reacts, reacting, reacted, react badly, reacts badly, reaction, reactions, intolerant, sensitive, very allergic, a bit allergic',
      'to',
    ),
    { kind: 'symptom', of: 'state', opens: true },
  ],
  [
    'hypoallergenic, hypo allergenic, hypoalergenic, hypoallergic, non allergenic, low allergen, allergy friendly, allergy free',
    { kind: 'symptom', of: 'label', opens: false },
  ],
  [STATES, { kind: 'symptom', of: 'state', opens: false }],
  [ATTACKS, { kind: 'symptom', of: 'attack', opens: false }],
  [
    'fur, furs, furry, dander, hair, hairs, pet hair, animal hair, animal fur, pet dander, pet fur',
    { kind: 'covering', species: ['DOG', 'CAT', 'RABBIT', 'OTHER'] },
  ],
  ['feather, feathers, feathery, feathered', { kind: 'covering', species: ['BIRD'] }],
];

const COLORS = (
  'black white brown golden grey gray ginger orange cream tricolor tricolour brindle calico tortoiseshell chestnut spotted green yellow blue sand albino ' +
  'purple pink turquoise cinnamon red tan silver fawn striped'
).split(' ');
/** Other spellings of the same colour. A search uses the spelling on the right. */
const SAME_COLORS: Readonly<Record<string, string>> = { gray: 'grey', tricolour: 'tricolor' };

/** Returns the spelling of a word that searches use. */
export const searchedSpelling = (word: string): string => SAME_COLORS[word] ?? word;

/** Words of preferences. */
export const PREFERENCES: Phrases = [
  ['baby, babies, newborn', { kind: 'stage', stage: 'BABY' }],
  ['young, juvenile, youngster', { kind: 'stage', stage: 'YOUNG' }],
  ['adult, adults, grown up, fully grown, grown, mature, middle aged', { kind: 'stage', stage: 'ADULT' }],
  ['senior, seniors, old, elderly, golden oldie', { kind: 'stage', stage: 'SENIOR' }],
  ['small, little, tiny, small sized, mini, miniature, compact, toy', { kind: 'size', size: 'SMALL' }],
  ['medium, mid sized, medium sized, mid size, medium size, average sized', { kind: 'size', size: 'MEDIUM' }],
  ['large, big, huge, giant, large sized, big sized', { kind: 'size', size: 'LARGE' }],
  [
    'kid, kids, child, children, toddler, toddlers, son, sons, daughter, daughters, grandchild, grandchildren, grandkids, grandson, granddaughter,' +
      'teenager, teenagers, teen, teens, tween, preschooler, schoolkids, infant, infants, kiddo, kiddos, my baby, our baby, a newborn baby, family friendly, child friendly, kid friendly,' +
      'little ones, my little girl, my little boy, our little girl, our little boy, little girl, little boy, niece, nephew',
    { kind: 'kids' },
  ],
  ['male, males, boy, boys', { kind: 'gender', gender: 'MALE' }],
  ['female, females, girl, girls', { kind: 'gender', gender: 'FEMALE' }],
  [
    'vaccinated, had his shots, had her shots, had its shots, had their shots, had shots, all his shots, all her shots, his shots, her shots, their shots, vaccines done, has its shots, up to date on shots, shots done, jabbed, have shots, got their shots, shots already, vaccinations, vaccinated already, jabs, their jabs, his jabs, her jabs, got their vaccines',
    { kind: 'health', field: 'vaccinated', value: true },
  ],
  ['unvaccinated', { kind: 'health', field: 'vaccinated', value: false }],
  ['spayed, neutered, castrated, sterilised, sterilized, desexed, fixed', { kind: 'health', field: 'spayedNeutered', value: true }],
  ['microchipped, chipped, microchip', { kind: 'health', field: 'microchipped', value: true }],
  [
    'special needs, special need, three legs, three legged, 3 legs, blind, one eye, one eyed, amputee, handicapped, disabled, chronic illness, disability',
    { kind: 'health', field: 'specialNeeds', value: true },
  ],
  ['healthy, in good health, health problems free', { kind: 'health', field: 'specialNeeds', value: false }],
  [
    'health problems, health issues, medical problems, medical issues, health condition',
    { kind: 'health', field: 'specialNeeds', value: true },
  ],
  [
    "no walks, without walks, doesn't need walks, doesnt need walks, don't need walks, does not need walks, no walking, no need to walk",
    { kind: 'unwalked' },
  ],
  [COLORS.flatMap((color) => [`${color} eyes`, `${color} eye`, `${color} eyed`]).join(','), { kind: 'unrecorded', trait: 'looks' }],
  ...COLORS.map((color) => [color, { kind: 'color', color: searchedSpelling(color) }] as const),
  ...UNRECORDED,
];
