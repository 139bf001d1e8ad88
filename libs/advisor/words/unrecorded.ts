import type { Unrecorded } from './concept.js';
import type { Phrases } from './phrases.js';

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
    'destroy, destroys, destructive, chew, chews, chewing, scratch, scratches, scratching, digs, digging, escape, escapes, escape artist, jumps, jumps up, steals, steal, begs, drool, drools, drooling, slobber, slobbers, nocturnal, awake, mouser, fussy eater, picky eater, gets along with everyone, travels well, car sick, ' +
      'catch mice, catches mice, catching mice, chase, chases, hunts, hunt',
  ),
];
