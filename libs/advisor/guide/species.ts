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

/** Care of rabbits. */
export const RABBITS = sections('Rabbits', {
  feeding: [
    'Hay is most of the food and is always there. Add fresh leafy greens every day, few pellets, and fresh water.',
    'Carrots and fruit are treats only. Change food slowly. A rabbit that has not eaten or passed droppings for 12 hours needs a vet at once. Chocolate, onions, potatoes, rhubarb and avocado are poisonous.',
  ],
  exercise: [
    'Rabbits need several hours of running and hopping every day, and enough height to stand upright.',
    'Tunnels, boxes and things to chew keep them busy. A cage alone is too small.',
  ],
  housing: [
    'Keep rabbits in a large enclosure, indoors or outdoors, with a dry place to hide and protection from heat, draughts and predators.',
    'As a rule of thumb, two rabbits need at least three by two metres all the time. Heat is more dangerous than cold: above about 25 degrees Celsius they need shade and cooling. Protect cables indoors.',
  ],
  vet: [
    'See a vet who knows rabbits once or twice a year. The vet plans vaccinations, checks the teeth and advises on neutering.',
    'Not eating, a swollen belly, a tilted head or wet fur at the tail are emergencies for a rabbit.',
  ],
  children: [
    'Rabbits are not toys for young children: most do not like to be lifted, and they are hurt easily by a fall.',
    'Children sit on the floor and let the rabbit come to them. An adult is responsible for its care.',
  ],
  grooming: [
    'Brush a rabbit about once a week, and every day while it sheds. Never bathe it.',
    'Check teeth, claws and the area under the tail regularly.',
  ],
  training: [
    'Many rabbits learn to use a litter tray, above all when they are neutered.',
    'Put hay beside the tray, and reward with a small treat. Never lift a rabbit by its ears.',
  ],
  company: [
    'Rabbits need the company of other rabbits. A neutered pair usually gets along best.',
    'Let them get to know each other on neutral ground, slowly. A guinea pig is no replacement for another rabbit.',
  ],
  lifespan: ['Rabbits often live 8 to 12 years.', 'Plan for the whole life before you adopt one.'],
  settling: [
    'Have the enclosure, hay and a place to hide ready before the rabbit arrives.',
    'Leave it alone for the first days, keep its old food, and sit near it quietly.',
  ],
});

/** Care of reptiles. */
export const REPTILES = sections('Reptiles', {
  feeding: [
    'The food depends on the kind: leopard geckos eat insects, bearded dragons insects and greens, tortoises leaves and herbs, corn snakes thawed rodents.',
    'Dust insects with calcium as a vet advises. Never feed live rodents. Fresh water is always there. Many snakes eat only every one to two weeks.',
  ],
  exercise: [
    'Reptiles need room to climb, dig or walk, and places to hide, according to their kind.',
    'Change things in the enclosure now and then. Tortoises need a large outdoor area in the warm season.',
  ],
  housing: [
    'A reptile needs an enclosure for its kind, with a warm and a cool end, hiding places, and a thermostat on every heat source.',
    'Many kinds need UVB light, whose lamps lose strength and are replaced as the maker says. Measure temperature and humidity every day. Close the enclosure safely.',
  ],
  vet: [
    'See a vet who knows reptiles after the adoption, then once a year with a sample of droppings.',
    'A reptile that does not eat for long, breathes with an open mouth, sheds badly or has swollen limbs needs a vet. Some kinds need papers: check the law before you adopt.',
  ],
  children: [
    'Reptiles are pets to watch. Everybody washes their hands after touching them or their enclosure, because they can carry salmonella.',
    'Families with children under five, with pregnant women or with weak immune systems should ask a doctor first.',
  ],
  grooming: [
    'Reptiles need the right humidity to shed their skin, and no brushing.',
    'Help with a lukewarm bath only as a vet advises. Never pull off skin.',
  ],
  training: [
    'Reptiles get used to hands slowly. Keep handling short, and leave them alone while they shed or digest.',
    'Support the whole body, and never grip the tail of a gecko: it may drop it.',
  ],
  company: [
    'Many reptiles live alone and fight with others of their kind.',
    'Ask a vet before you put two animals together. Never keep different kinds in one enclosure.',
  ],
  lifespan: [
    'Leopard geckos often live 10 to 20 years, bearded dragons about 10, corn snakes 15 to 20, and tortoises 50 years or more.',
    'Decide who would take over a tortoise that outlives you.',
  ],
  settling: [
    'Run the enclosure for some days before the animal arrives, until temperature and light are right.',
    'Then leave it alone for about a week, apart from food and water.',
  ],
});

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
