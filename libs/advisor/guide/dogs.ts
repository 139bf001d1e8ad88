import { sections } from './guide.js';

/** Care of dogs. */
export const DOGS = sections('Dogs', {
  feeding: [
    'Feed a complete dog food for the age of the dog: adults twice a day, puppies three or four times in small portions. Fresh water is always there.',
    'Change food slowly, over about a week. Treats are at most a tenth of the daily amount. Chocolate, grapes, raisins, onions, garlic, macadamia nuts, alcohol and xylitol are poisonous to dogs.',
  ],
  exercise: [
    'Most adult dogs need walks every day, often one to two hours in total; working breeds need more, old dogs shorter walks.',
    'Puppies need short and frequent play instead of long walks, because their joints still grow. Sniffing and simple tasks tire a dog as well as running does. Avoid the heat of the day.',
  ],
  housing: [
    'A dog lives indoors with its people and needs a quiet bed of its own. A flat is possible if the dog gets out often enough.',
    'Keep cables, medicine and cleaning agents out of reach, and fence a garden before the dog runs free in it. A crate is a place to rest, never a place for the whole day.',
  ],
  vet: [
    'See a vet soon after the adoption, then at least once a year. The vet plans vaccinations, protection against worms, fleas and ticks, and neutering.',
    'Bring the papers of the dog to the first visit. A dog that does not eat for a day, vomits repeatedly or suddenly limps should be seen by a vet.',
  ],
  children: [
    'Never leave a dog and a young child alone together, however gentle the dog is. Children leave it alone while it eats or sleeps.',
    'Teach children to let the dog come to them, and not to hug it or pull on it. An adult is responsible for walks and care.',
  ],
  grooming: [
    'Brush short hair about once a week and long hair several times a week. Bathe a dog only when it is dirty, with a shampoo for dogs.',
    'Check ears and paws regularly, shorten claws that are too long, and brush the teeth with toothpaste for dogs.',
  ],
  training: [
    'Reward what you want at once, with food or play, and keep sessions short. Punishment makes dogs afraid and sometimes aggressive.',
    'Take a puppy out after sleeping, eating and playing, and praise it outside: that is how it becomes house-trained. For fear or aggression, ask a vet or a qualified trainer.',
  ],
  company: [
    'An adult dog should not be alone for more than about four hours at a time; a puppy for much less. Practise it in small steps.',
    'Let dogs meet each other on neutral ground, on a loose lead. With a cat, use a lead and a door between them at first, and give the cat high places to go to.',
  ],
  lifespan: [
    'Dogs often live 10 to 13 years; small breeds often longer, giant breeds often shorter.',
    'Plan for the whole life, with the costs of old age too.',
  ],
  settling: [
    'Before the first day, have a bed, bowls, food, a lead, a collar with your number, and an appointment with a vet.',
    'Give the dog a few quiet weeks: the same walks, the same times, few visitors. Many dogs need about three months to feel at home.',
  ],
});
