/** How often, how warm, how large: what the guide says for each kind of animal. The keys are names of kinds. */
export const MEALS: Readonly<Record<string, string>> = {
  dog: 'Feed an adult dog twice a day, a puppy three or four times a day in small portions. The amount depends on weight and food: follow the label, and ask a vet. Fresh water is always there.',
  cat: 'Feed an adult cat two or three small meals a day or more, a kitten four. The amount depends on weight and food: follow the label, and ask a vet. Fresh water is always there.',
  rabbit:
    'Rabbits have hay all day long, fresh leafy greens every day, and only a few pellets. Carrots and fruit are small treats, not daily food.',
  'guinea pig':
    'Guinea pigs have hay all day long, and fresh greens and vegetables with vitamin C twice a day, because they cannot make the vitamin themselves.',
  hamster:
    'Feed a hamster once a day in the evening, about a tablespoon of seed mix, some greens, and protein such as a mealworm now and then.',
  ferret: 'Ferrets eat many small meals a day, so meat-based food is there at all times.',
  rat: 'Feed rats once or twice a day: a mix for rats, vegetables, and a little protein.',
  gerbil: 'Feed gerbils once a day: a seed mix, a little greens, and protein now and then.',
  mouse: 'Feed mice once a day: a seed mix, a little greens, and protein now and then.',
  chinchilla: 'Chinchillas have hay all day long, and a few pellets and dried herbs each day. Fruit and nuts make them ill.',
  budgie:
    'Feed budgies once a day, about one or two teaspoons of seeds or pellets for each bird, and fresh greens every day. Seeds alone are too fat.',
  cockatiel: 'Feed cockatiels once a day, about one or two tablespoons of seeds or pellets for each bird, and fresh greens every day.',
  canary: 'Feed canaries once a day, about a teaspoon or two of seeds for each bird, with fresh greens every day.',
  finch: 'Feed finches once a day, about a teaspoon of seeds for each bird, with fresh greens every day.',
  'large parrot': 'Feed large parrots twice a day: pellets, vegetables and some fruit. Nuts and seeds are treats.',
  'leopard gecko': 'Feed an adult leopard gecko insects two or three times a week, a young one every day. Dust them with calcium.',
  'bearded dragon':
    'Feed a young bearded dragon insects every day, and greens every day. An adult gets greens every day and insects two or three times a week.',
  'corn snake': 'Feed an adult corn snake one thawed rodent every ten to fourteen days, a young one about once a week.',
  tortoise: 'Tortoises eat weeds, leaves and herbs every day while they are active, with calcium. They eat no meat, and hardly any fruit.',
  'water turtle': 'Feed a young water turtle every day, an adult every two or three days.',
};

export const WARMTH: Readonly<Record<string, string>> = {
  'leopard gecko':
    'A leopard gecko needs a warm end of about 30 to 32 degrees Celsius, a cool end of about 24 to 26, and about 20 to 22 at night. A thermostat is on every heat source.',
  'bearded dragon':
    'A bearded dragon needs a basking place of about 38 to 42 degrees Celsius, a cool end of about 24 to 28, about 20 to 22 at night, and UVB light. A thermostat is on every heat source.',
  'corn snake':
    'A corn snake needs a warm end of about 28 to 30 degrees Celsius, a cool end of about 22 to 24, and a hiding place at both. A thermostat is on every heat source.',
  tortoise:
    'A Mediterranean tortoise needs a basking place of about 35 degrees Celsius, a cooler part of about 20 to 22, UVB light, and a cool winter rest as a vet advises.',
  'water turtle': 'Many water turtles need water of about 22 to 26 degrees Celsius, a dry basking place of about 32 to 35, and UVB light.',
  dog: 'Most dogs are well at the temperature of a home. Above about 25 degrees Celsius walk them early or late, and never leave them in a car.',
  cat: 'Cats are well at the temperature of a home, and like a warm place of their own.',
  rabbit: 'Rabbits are well at about 10 to 20 degrees Celsius. Above about 25 they need shade and cooling.',
  'guinea pig': 'Guinea pigs are well at about 18 to 22 degrees Celsius. Above about 26 they are in danger.',
  hamster: 'Hamsters are well at about 18 to 24 degrees Celsius, away from sun and draughts.',
  chinchilla: 'Chinchillas are well at about 15 to 20 degrees Celsius. Above about 25 they are in danger.',
  ferret: 'Ferrets are well at about 15 to 20 degrees Celsius. Above about 27 they are in danger.',
  budgie: 'Budgies are well at about 18 to 25 degrees Celsius, without draughts or fast changes.',
  cockatiel: 'Cockatiels are well at about 18 to 25 degrees Celsius, without draughts or fast changes.',
  canary: 'Canaries are well at about 16 to 24 degrees Celsius, without draughts or fast changes.',
  'large parrot': 'Large parrots are well at about 18 to 27 degrees Celsius, without draughts or fast changes.',
};

/** How large the home of an animal is at least. */
export const ROOM: Readonly<Record<string, string>> = {
  rabbit: 'Two rabbits need at least three by two metres all the time, and enough height to stand upright.',
  'guinea pig': 'Two guinea pigs need at least two square metres on one level, and half a square metre more for each other one.',
  hamster: 'A hamster needs about one square metre with at least 20 to 30 centimetres of bedding, and a wheel of at least 28 centimetres.',
  ferret: 'Ferrets need a tall cage of about two square metres, and several hours outside it every day.',
  rat: 'Two or three rats need a tall cage of at least 100 by 50 by 100 centimetres.',
  gerbil: 'Two gerbils need an enclosure of at least 100 by 50 centimetres with deep bedding.',
  chinchilla: 'Two chinchillas need a tall aviary of at least 100 by 60 by 150 centimetres.',
  budgie: 'Two budgies need a cage of at least 100 by 50 by 80 centimetres, and flight in the room every day.',
  cockatiel: 'Two cockatiels need an aviary of at least 150 by 60 by 100 centimetres, and flight in the room every day.',
  canary: 'A pair of canaries needs a cage of at least 100 by 50 by 80 centimetres.',
  'large parrot': 'Large parrots need an aviary of at least two by one by two metres, and hours outside it every day.',
  'leopard gecko': 'A leopard gecko needs a terrarium of at least 80 by 40 by 40 centimetres.',
  'bearded dragon': 'A bearded dragon needs a terrarium of at least 150 by 80 by 80 centimetres.',
  'corn snake': 'A corn snake needs a terrarium at least as long as the grown snake: about 120 by 60 by 60 centimetres.',
  tortoise: 'A tortoise needs an outdoor area of at least ten square metres with a heated shelter.',
  dog: 'A dog needs a bed of its own and its people, and finds its room outside: walks every day.',
  cat: 'A cat needs at least one or two rooms, high places, a litter box, and a view from a window.',
};
