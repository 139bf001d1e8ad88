import type { Species } from '../../domain/pets/pet.events.js';
import type { Topic } from '../words/concept.js';
import type { Section } from './guide.js';
import { STORE } from './store.js';

/** Sections that are the same for every species. */
export const GENERAL: Readonly<Partial<Record<Topic, Section>>> = {
  ...STORE,
  costs: {
    title: 'Every pet: costs',
    short: 'Beside the price there are food, equipment, vet, insurance and care during holidays, for the whole life of the pet.',
    more: 'They depend on the place and the animal, so I name no amounts. Ask a vet nearby, and keep savings for an emergency.',
  },
  allergies: {
    title: 'Every pet: allergies',
    short:
      'No breed of dog or cat is safe for everybody with an allergy. Meet the animal several times, and ask a doctor before you adopt.',
    more: 'Hair is not the cause: allergens are in saliva, skin and urine, so a breed that sheds little can cause symptoms too.',
  },
  pregnancy: {
    title: 'Every pet: pregnancy',
    short: 'Ask your doctor before you adopt while somebody in your home is pregnant or has a weak immune system.',
    more: 'Somebody else cleans the litter box of a cat, because of toxoplasmosis. Reptiles can carry salmonella. Wash your hands after contact with any animal.',
  },
  away: {
    title: 'Every pet: time away',
    short: 'Every pet needs somebody who feeds it and looks after its health on each day that you are away.',
    more: 'Dogs suffer most: they should not be alone for a working day. Find a sitter before you adopt a pet.',
  },
  gift: {
    title: 'Every pet: presents',
    short:
      'A pet as a surprise often goes wrong. Ask first whether the person wants the animal for its whole life, and choose it together.',
    more: 'For children, the adults are responsible. A picture or a toy can be the present, and the pet comes in quiet days after it.',
  },
  law: {
    title: 'Every pet: law',
    short:
      'I do not know the law where you live. Some animals, such as some reptiles and parrots, need papers, and some places register or tax dogs.',
    more: 'Ask your town or a vet before you adopt, also about journeys to another country.',
  },
  naming: {
    title: 'Every pet: names',
    short: 'The name is yours to choose. Short names of one or two syllables are easy to call.',
    more: 'Call the animal by it when something pleasant follows, such as food.',
  },
  sexes: {
    title: 'Every pet: male or female',
    short: 'Character, upbringing and neutering matter more than whether an animal is male or female.',
    more: 'Of animals that live in pairs, ask the staff which of them get along, so that there are no young ones and no fights.',
  },
  effort: {
    title: 'Every pet: effort',
    short: 'Every pet needs care each day. Dogs need the most time, because they need walks, training and company.',
    more: 'Cats need food, play and a clean litter box. Rabbits, birds and small pets need company of their kind, a clean home and room to move. Reptiles need little contact, but exact heat and light.',
  },
};

/** What the guide says when no species is known. */
export const OVERVIEW: Readonly<Partial<Record<Topic, Section>>> = {
  lifespan: {
    title: 'Every pet: lifespan',
    short: 'Hamsters often live 2 to 3 years, guinea pigs 5 to 8, rabbits 8 to 12, dogs 10 to 13, and cats 12 to 18.',
    more: 'Budgerigars often live 5 to 10 years, large parrots 40 or more, and tortoises 50 or more. Decide who would take over a pet that outlives you.',
  },
};

/** What to do if an animal ran away. */
export const MISSING_ANIMAL: Section = {
  title: 'Every pet: a missing animal',
  short:
    'Search near the place where it was seen last, and tell the vets and the animal shelters nearby, and the register of its microchip.',
  more: 'Ask neighbours to look into sheds and garages. Many animals stay close and come out when it is quiet.',
};

/** What to do if a small animal escaped at home. */
export const MISSING_SMALL: Section = {
  title: 'Small pets: an escaped animal',
  short:
    'Close all doors and windows, and search room by room, low and dark: behind furniture, in the sofa, in boxes. Warn everybody to look before each step.',
  more: 'In the evening put its house, food and water on the floor, sprinkle flour around it to see tracks, sit still and listen. A tall bucket with food in it and a ramp of books beside it catches a hamster overnight.',
};

/** What to do for an ill animal of each species until a vet sees it. */
export const FIRST_MEASURES: Readonly<Record<Species, string>> = {
  DOG: 'Until then keep the dog calm and do not let it run, offer small amounts of water, and look at its gums: pale or blue gums cannot wait an hour.',
  CAT: 'Until then keep the cat in a quiet, warm room, and write down when it last ate, drank and used its litter box. A cat must not go without food for more than a day.',
  RABBIT:
    'For a rabbit half a day without food or droppings is dangerous. Until then keep it warm and quiet, with hay, water and its companion beside it.',
  BIRD: 'Until then keep the bird warm, dark and quiet, with food and water close to it, and away from other birds.',
  REPTILE:
    'Call a vet who knows reptiles. Until then measure the warm and the cool end and check the lamps: a reptile that is too cold does not eat or digest. Offer water, do not force food into it, and write down when it last ate and passed droppings.',
  OTHER:
    'Small animals get weak within hours. Until then keep it warm and quiet, with water and its usual food in reach, and give no medicine.',
};

/** What to do in each kind of emergency. */
export const EMERGENCIES: Readonly<Record<'animal' | 'person' | 'abuse', Section>> = {
  animal: {
    title: 'Emergencies',
    short:
      'This can be an emergency. Call a vet or an animal emergency clinic now, and say what happened, when, and how much the animal weighs.',
    more:
      'Do not wait for symptoms. Do not make the animal vomit, and give no medicine, unless the vet says so. Keep it warm and calm, and take the packaging of what it ate with you. ' +
      'I cannot judge how bad it is.',
  },
  person: {
    title: 'Emergencies',
    short:
      'Wash a bite or scratch with soap and water, and see a doctor today. If it bleeds strongly or somebody has trouble breathing, call your local emergency number.',
    more: 'I cannot judge how bad it is.',
  },
  abuse: {
    title: 'Emergencies',
    short:
      'Nobody may hurt an animal. Bring it to safety if you can do so without danger, and call the animal welfare office or the police.',
    more: 'A vet can treat the animal and write down its injuries. If somebody hurts you too, call your local emergency number.',
  },
};
