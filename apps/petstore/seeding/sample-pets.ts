import type { Gender, PetDetails, PetStatus, Size, Species } from '../../../libs/domain/pets/pet.events.js';

/** A breed. `price` is the lowest and the highest price in USD. `kids` is the probability of being good with kids. */
type Breed = { readonly name: string; readonly size: Size; readonly price: readonly [number, number]; readonly kids: number };
type SpeciesProfile = {
  /** The number of pets of this species among a hundred. */
  readonly share: number;
  readonly oldestMonths: number;
  readonly breeds: readonly Breed[];
  readonly colors: readonly string[];
  readonly traits: readonly string[];
};

const breed = (name: string, size: Size, lowest: number, highest: number, kids: number): Breed => ({
  name,
  size,
  price: [lowest, highest],
  kids,
});

const SPECIES: Readonly<Record<Species, SpeciesProfile>> = {
  DOG: {
    share: 38,
    oldestMonths: 168,
    breeds: [
      breed('Labrador Retriever', 'LARGE', 150, 900, 0.95),
      breed('Beagle', 'MEDIUM', 120, 650, 0.9),
      breed('Border Collie', 'MEDIUM', 150, 800, 0.8),
      breed('German Shepherd', 'LARGE', 180, 950, 0.7),
      breed('Dachshund', 'SMALL', 120, 700, 0.6),
      breed('Jack Russell Terrier', 'SMALL', 90, 500, 0.6),
      breed('Mixed breed', 'MEDIUM', 50, 250, 0.75),
    ],
    colors: ['black', 'golden', 'brown', 'black and white', 'tricolor', 'brindle'],
    traits: ['knows sit and stay', 'walks well on the lead', 'loves long walks', 'is calm in the car', 'fetches for hours'],
  },
  CAT: {
    share: 34,
    oldestMonths: 204,
    breeds: [
      breed('Domestic Shorthair', 'MEDIUM', 40, 180, 0.75),
      breed('Maine Coon', 'LARGE', 200, 900, 0.85),
      breed('Siamese', 'MEDIUM', 150, 600, 0.6),
      breed('British Shorthair', 'MEDIUM', 180, 750, 0.8),
      breed('Ragdoll', 'LARGE', 220, 900, 0.9),
      breed('Singapura', 'SMALL', 250, 800, 0.6),
    ],
    colors: ['black', 'white', 'ginger', 'grey tabby', 'calico', 'tortoiseshell', 'cream'],
    traits: ['uses the scratching post', 'naps in the sun', 'is an indoor cat', 'plays with feathers', 'greets visitors at the door'],
  },
  RABBIT: {
    share: 10,
    oldestMonths: 108,
    breeds: [
      breed('Netherland Dwarf', 'SMALL', 25, 90, 0.7),
      breed('Holland Lop', 'SMALL', 30, 110, 0.85),
      breed('Rex', 'MEDIUM', 30, 100, 0.8),
      breed('Flemish Giant', 'LARGE', 50, 160, 0.8),
    ],
    colors: ['white', 'grey', 'chestnut', 'black', 'spotted'],
    traits: ['lives with a companion', 'is litter-trained', 'eats from the hand', 'binkies when happy'],
  },
  BIRD: {
    share: 9,
    oldestMonths: 240,
    breeds: [
      breed('Budgerigar', 'SMALL', 15, 60, 0.8),
      breed('Cockatiel', 'SMALL', 50, 180, 0.75),
      breed('Canary', 'SMALL', 20, 90, 0.7),
      breed('African Grey Parrot', 'MEDIUM', 500, 1800, 0.4),
    ],
    colors: ['green', 'yellow', 'blue', 'grey', 'white and yellow'],
    traits: ['whistles in the morning', 'steps onto the finger', 'is used to a large aviary', 'mimics the doorbell'],
  },
  REPTILE: {
    share: 6,
    oldestMonths: 300,
    breeds: [
      breed('Leopard Gecko', 'SMALL', 40, 200, 0.6),
      breed('Bearded Dragon', 'MEDIUM', 60, 280, 0.7),
      breed('Corn Snake', 'MEDIUM', 50, 220, 0.4),
      breed('Hermann’s Tortoise', 'SMALL', 90, 300, 0.7),
    ],
    colors: ['sand', 'green', 'orange', 'brown', 'albino'],
    traits: ['comes with a heat lamp', 'eats well', 'is used to being handled', 'sheds without trouble'],
  },
  OTHER: {
    share: 3,
    oldestMonths: 72,
    breeds: [
      breed('Guinea Pig', 'SMALL', 15, 60, 0.9),
      breed('Syrian Hamster', 'SMALL', 10, 35, 0.6),
      breed('Ferret', 'SMALL', 60, 220, 0.5),
    ],
    colors: ['brown', 'white', 'black', 'cinnamon', 'tricolor'],
    traits: ['is active in the evening', 'loves tunnels', 'squeaks for cucumber', 'is tame'],
  },
};

const NAMES = (
  'Luna Milo Bella Charlie Max Coco Rocky Daisy Leo Nala Simba Molly Oscar Ruby Toby Lola Felix Willow Jasper Hazel Finn Poppy Archie Maple Ziggy ' +
  'Pepper Biscuit Olive Otto Juniper Mocha Clover Bruno Saffron Pickles Nova Basil Ivy Rufus Pixie Gizmo Heidi Yuki Kiwi Sunny Flo Rio Mabel Ash Tilda'
).split(' ');
const GENDERS: readonly Gender[] = ['MALE', 'FEMALE'];

/** The input of `CreatePet`. */
export type SamplePet = { readonly details: PetDetails; readonly status: PetStatus };

/** Returns a generator of numbers from 0 up to 1 (mulberry32). The same seed generates the same numbers. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Creates a pet with a breed, size, age, price and temper that fit its species. */
export const createSamplePet = (random: () => number): SamplePet => {
  const species = pickSpecies(random() * 100);
  const { breeds, colors, traits, oldestMonths } = SPECIES[species];
  const chosen = pick(breeds, random);
  const name = pick(NAMES, random);
  // The square makes young pets more common.
  const ageMonths = Math.max(2, Math.round(random() ** 2 * oldestMonths));
  // Older pets cost less.
  const [lowest, highest] = chosen.price;
  const worth = lowest + (highest - lowest) * (1 - ageMonths / oldestMonths) * (0.6 + 0.4 * random());
  const specialNeeds = random() < 0.07;
  return {
    details: {
      name,
      species,
      breed: chosen.name,
      ageMonths,
      size: chosen.size,
      color: pick(colors, random),
      gender: pick(GENDERS, random),
      goodWithKids: random() < chosen.kids,
      price: (Math.round(worth / 5) * 5).toFixed(2),
      currency: 'USD',
      description: `${name} ${pick(traits, random)}.`,
      medicalInfo: {
        spayedNeutered: random() < 0.7,
        vaccinated: random() < 0.92,
        microchipped: random() < 0.8,
        specialNeeds,
        ...(specialNeeds && { healthNotes: 'Needs regular check-ups; ask the staff for the care plan.' }),
      },
    },
    status: random() < 0.96 ? 'AVAILABLE' : 'NOT_AVAILABLE',
  };
};

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)];

/** Returns the species for a random number from 0 up to 100. The shares of all species add up to 100. */
const pickSpecies = (roll: number): Species => {
  let upTo = 0;
  for (const [species, { share }] of Object.entries(SPECIES)) if (roll < (upTo += share)) return species as Species;
  return 'OTHER';
};
