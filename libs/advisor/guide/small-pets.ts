import { sections } from './guide.js';

/** Care of guinea pigs, hamsters and ferrets. */
export const SMALL_PETS = sections('Small pets', {
  feeding: [
    'Guinea pigs eat hay, fresh greens and vegetables with vitamin C every day; hamsters a mix of seeds with some protein; ferrets meat-based food.',
    'Fresh water is always there. Chocolate, onions, and sugar are bad for all of them. A guinea pig that has not eaten for 12 hours needs a vet at once.',
  ],
  exercise: [
    'Guinea pigs need a large run, hamsters a wheel of at least 28 centimetres and deep bedding, ferrets several hours outside their cage every day.',
    'Tunnels and hiding places are for all of them. Do not use exercise balls: they are dangerous.',
  ],
  housing: [
    'Choose a large enclosure rather than a cage: as a rule of thumb at least two square metres for two guinea pigs, and one square metre with deep bedding for a hamster.',
    'Place it away from sun, draughts and noise, with hiding places. Clean wet spots every day.',
  ],
  vet: [
    'See a vet who knows small animals after the adoption, then once a year. Ferrets need vaccinations.',
    'Small animals hide illness and get worse quickly: not eating, diarrhoea or trouble breathing need a vet the same day.',
  ],
  children: [
    'Guinea pigs suit calm children. Hamsters suit them less: they sleep during the day, and bite when they are woken. An adult is responsible.',
    'Children sit on the floor, and let the animal come to them. Ferrets can bite, and are no pets for young children.',
  ],
  grooming: [
    'Brush long hair every day, and shorten the claws of guinea pigs regularly. Never bathe hamsters.',
    'Offer hamsters a bath of sand for small animals.',
  ],
  training: [
    'Let the animal get used to your hand with food, and never grip it from above.',
    'Ferrets learn to use a litter tray, mostly.',
  ],
  company: [
    'Guinea pigs and ferrets need company of their own kind. Syrian hamsters live alone and fight with others.',
    'A rabbit is no replacement for another guinea pig.',
  ],
  lifespan: ['Guinea pigs often live 5 to 8 years, hamsters 2 to 3, ferrets 6 to 10.', 'Plan for the whole life before you adopt one.'],
  settling: [
    'Have the enclosure ready, with hay or bedding and places to hide.',
    'Leave the animal in peace for the first days, and keep its old food.',
  ],
});
