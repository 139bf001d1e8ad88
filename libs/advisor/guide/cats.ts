import { sections } from './guide.js';

/** Care of cats. */
export const CATS = sections('Cats', {
  feeding: [
    'Feed a complete cat food with much meat, in several small meals a day. Fresh water is always there, away from the food.',
    'Kittens need kitten food and more meals. Cats do not tolerate milk well. Onions, garlic, chocolate and alcohol are poisonous, and lilies can kill a cat. A cat that has not eaten for a day should see a vet.',
  ],
  exercise: [
    'Play with a cat several times a day for about ten minutes, with toys that it can hunt.',
    'Climbing places, scratching posts and a view from a window keep an indoor cat busy. Never leave strings or rubber bands lying around: cats swallow them.',
  ],
  housing: [
    'A cat needs a scratching post, high places, a quiet bed, and one litter box for each cat plus one more, cleaned every day.',
    'A flat can be enough for an indoor cat. Secure windows and balconies, and remove lilies and other poisonous plants. Let a cat out only when it is neutered, chipped and used to its home.',
  ],
  vet: [
    'See a vet soon after the adoption, then at least once a year. The vet plans vaccinations, protection against parasites, and neutering.',
    'A cat that strains in the litter box, breathes with an open mouth or hides and does not eat needs a vet at once.',
  ],
  children: [
    'Teach children to let the cat come to them, and give it places that they cannot reach. Do not leave a cat and a young child alone together.',
    'A hissing cat or a twitching tail means that it wants to be left alone. Children do not clean the litter box.',
  ],
  grooming: [
    'Brush short hair about once a week and long hair every day. Healthy cats do not need baths.',
    'Check claws, ears and teeth regularly. Scratching is normal: offer posts. Claws are never removed.',
  ],
  training: [
    'Reward what you want with food or play. Cats do not learn from punishment.',
    'A cat that stops using its litter box may be ill: ask a vet first, then check the place and cleanliness of the box. Offer a scratching post beside the furniture that it scratches.',
  ],
  company: [
    'Many cats can be alone during a working day, but kittens should have company. Some cats want a friend, others none.',
    'Let a new cat arrive in a room of its own, exchange blankets, then let the animals see each other through a gap, and meet for short times. This can take weeks.',
  ],
  lifespan: ['Indoor cats often live 12 to 18 years, some beyond 20.', 'Plan for the whole life, with the costs of old age too.'],
  settling: [
    'Prepare one quiet room with a litter box, water, food, a bed and a place to hide.',
    'Let the cat come out when it wants to. Keep it indoors for several weeks, so that it knows its new home.',
  ],
});
