import type { Phrases } from './phrases.js';

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
