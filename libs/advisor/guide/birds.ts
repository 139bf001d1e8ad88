import { sections } from './guide.js';

/** Care of birds. */
export const BIRDS = sections('Birds', {
  feeding: [
    'Feed a mix or pellets for the kind of bird, fresh greens every day, and fresh water. Seeds alone are too fat.',
    'Avocado, chocolate, onions, salt, alcohol and caffeine are poisonous to birds. Remove fresh food after a few hours.',
  ],
  exercise: [
    'Birds need to fly every day, in a safe room or a large aviary, and things to climb and gnaw.',
    'Close windows and cover panes before a flight. Parrots need tasks, such as food that they must search for.',
  ],
  housing: [
    'The cage or aviary is as large and wide as possible, in a bright place without draughts, away from the kitchen. The bird can stretch and fly in it.',
    'Fumes of overheated non-stick pans, smoke and sprays can kill birds. Birds need about ten to twelve hours of quiet darkness. Use natural perches of several thicknesses.',
  ],
  vet: [
    'See a vet who knows birds after the adoption, then once a year.',
    'Birds hide illness. A bird that sits puffed up on the floor, breathes with its tail moving or does not eat needs a vet the same day.',
  ],
  children: [
    'Children can watch birds and talk to them, but an adult handles them: birds are hurt easily, and a parrot can bite hard.',
    'Teach children to move slowly and quietly near the cage.',
  ],
  grooming: ['Offer a shallow bath or a fine spray of water several times a week.', 'Let a vet shorten claws or a beak that are too long.'],
  training: [
    'Train with small treats, patience and short sessions. First let the bird step onto a perch, then onto the hand.',
    'Screaming often means boredom or loneliness; never punish it.',
  ],
  company: [
    'Most birds live in pairs or groups and should not live alone.',
    'Choose partners of the same kind, and let them get to know each other in two cages first. Keep cats away.',
  ],
  lifespan: [
    'Budgerigars often live 5 to 10 years, cockatiels 15 to 20, and large parrots 40 years or more.',
    'Decide who would take over a parrot that outlives you.',
  ],
  settling: [
    'Have the cage ready in a quiet, bright place before the bird arrives.',
    'Leave it in peace for some days, then approach slowly with treats.',
  ],
});
