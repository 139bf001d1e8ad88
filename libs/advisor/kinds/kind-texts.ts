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

/** What to buy before an animal arrives. The keys are names of kinds. */
export const SHOPPING: Readonly<Record<string, string>> = {
  dog: 'For a dog you need a bed, two bowls, dog food, a lead, a collar or harness with your number, a brush, toys, waste bags, and a safe place in the car.',
  cat: 'For a cat you need a carrier, one litter box for each cat plus one more, litter and scoop, bowls, cat food, a scratching post, high places, toys and a brush.',
  rabbit:
    'For two rabbits you need a large enclosure with a hiding house each, hay and a rack, bowls, a litter tray, tunnels, things to chew, a brush and a carrier.',
  'guinea pig':
    'For two guinea pigs you need a large enclosure, a hiding house each, hay and a rack, bedding, bowls or bottles for water, fresh food with vitamin C, and a carrier.',
  hamster:
    'For a hamster you need a large enclosure with deep bedding, a house with several rooms, a wheel of at least 28 centimetres, a sand bath, tunnels, a bowl for food and one for water.',
  ferret: 'For ferrets you need a tall cage, hammocks, litter trays, bowls, meat-based food, toys, tunnels, a harness and a carrier.',
  budgie:
    'For budgies you need a wide cage or aviary, natural perches of several thicknesses, bowls for food and water, seeds or pellets, greens, a bath, toys, a carrier, and a second budgie as company.',
  cockatiel:
    'For cockatiels you need an aviary, natural perches, bowls for food and water, seeds or pellets, greens, a bath, things to gnaw, a carrier, and a second cockatiel as company.',
  canary: 'For canaries you need a wide cage, natural perches, bowls for food and water, seeds, greens, a bath and a carrier.',
  'large parrot':
    'For a parrot you need a large aviary, strong natural perches, bowls, pellets, vegetables and fruit, things to gnaw and to search in, a bath and a carrier.',
  'leopard gecko':
    'For a leopard gecko you need a terrarium, a heat mat or lamp with thermostat, thermometers, three hiding places with one damp, bowls, insects and calcium powder.',
  'bearded dragon':
    'For a bearded dragon you need a large terrarium, a basking lamp with thermostat, a UVB lamp, thermometers, climbing branches, hiding places, bowls, insects, greens and calcium powder.',
  'corn snake':
    'For a corn snake you need a locked terrarium, heating with thermostat, thermometers, two hiding places, climbing branches, a water bowl, and thawed rodents.',
  tortoise:
    'For a tortoise you need an outdoor area with a heated shelter, UVB and basking lamps, thermometers, a flat water bowl, weeds and herbs, and calcium.',
};

/** Who looks after an animal while its people are on holiday. */
export const AWAY: Readonly<Record<string, string>> = {
  cat: 'A cat usually does best at home, with a sitter who comes once or twice a day, or in a good cattery: book it early.',
  dog: 'A dog goes with you, to a sitter or to a boarding kennel. Try it for a day before the journey.',
  rabbit: 'Rabbits stay at home together, with somebody who feeds, cleans and looks at them twice a day.',
  'guinea pig': 'Guinea pigs stay at home together, with somebody who feeds, cleans and looks at them twice a day.',
  hamster: 'A hamster stays at home, with somebody who brings food and water and looks at it each day.',
  budgie: 'Birds stay at home together, with somebody who feeds them and spends time with them each day.',
  cockatiel: 'Birds stay at home together, with somebody who feeds them and spends time with them each day.',
  'large parrot': 'A parrot needs a sitter whom it knows, for hours each day.',
  'leopard gecko': 'A gecko stays in its terrarium, with somebody who knows it and checks heat, light and water each day.',
  'bearded dragon': 'A bearded dragon stays in its terrarium, with somebody who knows it and checks heat, light, food and water each day.',
  'corn snake': 'A corn snake stays in its terrarium, with somebody who checks heat, locks and water each day.',
  tortoise: 'A tortoise stays in its enclosure, with somebody who feeds it and checks heat and water each day.',
};

/** What a young animal needs beside what SHOPPING names. */
export const SHOPPING_YOUNG: Readonly<Record<string, string>> = {
  dog: 'A puppy also needs puppy food, things to chew, a puppy gate, and an appointment with a vet in the first days.',
  cat: 'A kitten also needs kitten food, a low litter tray, one quiet, safe room for the first days, and an appointment with a vet.',
};

export const TOILET: Readonly<Record<string, string>> = {
  dog: 'Take a puppy out after sleeping, eating and playing and every two hours, and praise it outside. Most puppies are clean at about six months. Never punish accidents: clean them without ammonia.',
  cat: 'Most cats use a litter box from the start: show it, keep it clean, and put it in a quiet place. A cat that stops using it may be ill, so ask a vet first.',
  rabbit: 'Many rabbits learn to use a litter tray, above all when they are neutered. Put the tray where they go, with hay beside it.',
  'guinea pig': 'Guinea pigs seldom become clean. A tray with hay where they rest catches a part of it.',
  hamster: 'Many hamsters choose one corner: put a tray with sand there, and clean it every few days.',
  ferret: 'Ferrets learn to use a litter tray, mostly. Put a tray into each corner that they choose.',
  rat: 'Many rats learn to use a tray for a part of their droppings.',
  budgie: 'Birds do not become clean: put paper under the places where they sit, and change it every day.',
  cockatiel: 'Birds do not become clean: put paper under the places where they sit, and change it every day.',
};

export const BITING: Readonly<Record<string, string>> = {
  'bearded dragon':
    'Bearded dragons seldom bite, and mostly when they take a finger for food or are afraid. Move slowly, lift them from below, and wash your hands before and after.',
  'leopard gecko':
    'Leopard geckos seldom bite, and their bite is weak. Move slowly, let them walk onto your hand, and never hold them by the tail.',
  'corn snake':
    'Corn snakes are not venomous and seldom bite, mostly when they smell food or are afraid. Do not handle them for two days after a meal, and wash your hands first.',
  tortoise: 'Tortoises seldom bite, and mostly when a finger looks like food. Offer food on a flat stone.',
  dog: 'A dog that bites needs a vet first, because pain can be the cause, and then a qualified trainer who works with rewards. Do not punish it. Keep it on a lead or behind a door around children and visitors. A puppy that nips learns with a toy and short pauses in the game.',
  cat: 'A cat that bites is often afraid, in pain or tired of being touched: stop at the first twitch of the tail, play with toys and not with hands, and ask a vet if it is new.',
  rabbit:
    'A rabbit that bites is afraid, in pain or defends its place: move slowly, do not lift it, and ask a vet about pain and neutering.',
  hamster:
    'A hamster bites when it is woken or afraid: let it wake without help, wash your hands, and let it walk onto your hand for food.',
  'guinea pig': 'Guinea pigs seldom bite. If one does, it is afraid, in pain or takes a finger for food: ask a vet if it goes on.',
  ferret: 'Ferrets nip in play: stop the game at once, offer a toy, and never punish them.',
  budgie: 'A bird bites when it is afraid or when you go too fast: offer food from the hand, and go away at the first sign of fear.',
  cockatiel: 'A bird bites when it is afraid or when you go too fast: offer food from the hand, and go away at the first sign of fear.',
  'large parrot':
    'A parrot bites when it is afraid, bored or defends its cage: watch its signs, give it tasks, and ask a vet who knows birds.',
};

/** Fear, noise and growth: what the guide says for each kind of animal. The keys are names of kinds. */
export const FEAR: Readonly<Record<string, string>> = {
  dog: 'Give a frightened dog a dark, quiet place, close windows and blinds, stay calm beside it, and do not punish or push it. On days of fireworks walk it before dark, on a lead. If the fear is strong, ask a vet in good time, and a qualified trainer.',
  cat: 'Let a frightened cat hide, keep it indoors, close windows and blinds, and leave food and water near its place. Do not pull it out. If the fear lasts, ask a vet.',
  rabbit: 'Give frightened rabbits a place to hide and a quiet room, and move slowly. Leave their companion with them.',
  budgie:
    'Cover a part of the cage of a frightened bird, leave a small light on, and keep the room quiet. Sudden noise at night can make birds hurt themselves.',
  hamster: 'Leave a frightened hamster alone in its house, and begin again with food from the hand, in the evening.',
  'guinea pig': 'Give frightened guinea pigs a house each and a quiet place, and begin with food from the hand.',
};

export const NOISE: Readonly<Record<string, string>> = {
  dog: 'First find out why the dog barks: at visitors, from boredom, from fear, or because it is alone. Give it more exercise and tasks, take away the view of the street, and reward quiet at once. Never punish it. If it barks when it is alone, practise short times, and ask a qualified trainer.',
  cat: 'A cat that meows much can be hungry, bored, in heat, old or ill. Ask a vet first, then play with it before the night, and feed it late.',
  budgie:
    'A bird that screams is often bored, lonely or afraid: give it company, tasks and about ten to twelve hours of dark quiet, and answer its calls calmly. Never punish it.',
  'large parrot':
    'A parrot that screams is often bored or lonely: give it tasks and hours of company, and answer its calls calmly. Never punish it.',
  'guinea pig': 'Guinea pigs squeak loudly when they expect food. Feed at fixed times, and not at once when they squeak.',
  hamster: 'A hamster is loud in its wheel at night: use a large, quiet wheel, and a room where nobody sleeps.',
};

/** How large animals of a kind become. */
export const GROWTH: Readonly<Record<string, string>> = {
  dog: 'Dogs grow from about 2 to 70 kilograms, depending on the breed. The catalogue states the size of each dog.',
  cat: 'Most cats weigh 3 to 6 kilograms when they are grown, large breeds such as the Maine Coon up to 10.',
  rabbit: 'Dwarf rabbits weigh about 1 to 2 kilograms when they are grown, medium breeds 3 to 5, and giants 6 and more.',
  'guinea pig': 'Guinea pigs grow to about 20 to 30 centimetres and one kilogram.',
  hamster: 'Syrian hamsters grow to about 12 to 18 centimetres.',
  ferret: 'Ferrets grow to about 35 to 50 centimetres with the tail, and one to two kilograms.',
  rat: 'Rats grow to about 20 to 25 centimetres, and as much again for the tail.',
  budgie: 'Budgies grow to about 18 centimetres.',
  cockatiel: 'Cockatiels grow to about 32 centimetres.',
  canary: 'Canaries grow to about 12 to 14 centimetres.',
  'large parrot': 'Grey parrots grow to about 33 centimetres, large macaws to about 90.',
  'leopard gecko': 'Leopard geckos grow to about 20 to 25 centimetres.',
  'bearded dragon': 'Bearded dragons grow to about 40 to 55 centimetres.',
  'corn snake': 'Corn snakes grow to about 120 to 150 centimetres. Other snakes differ much: some pythons pass four metres.',
  tortoise: 'Hermann’s tortoises grow to about 15 to 25 centimetres.',
  'water turtle': 'Many water turtles grow to about 20 to 30 centimetres.',
};

/** What grown animals of a breed or a kind usually weigh: the words of the breed, the average in grams, and the text. */
const WEIGHTS: readonly (readonly [words: RegExp, grams: number, text: string])[] = [
  [/chihuahua/, 2_300, 'about 1.5 to 3 kilograms'],
  [/yorkshire|yorkie/, 2_800, 'about 2 to 3.5 kilograms'],
  [/jack russell/, 6_500, 'about 5 to 8 kilograms'],
  [/pug/, 7_200, 'about 6 to 8 kilograms'],
  [/dachshund/, 8_000, 'about 5 to 12 kilograms'],
  [/beagle/, 12_000, 'about 9 to 16 kilograms'],
  [/border collie/, 17_000, 'about 14 to 20 kilograms'],
  [/husky/, 22_000, 'about 16 to 27 kilograms'],
  [/golden retriever/, 29_500, 'about 25 to 34 kilograms'],
  [/labrador/, 30_000, 'about 25 to 36 kilograms'],
  [/german shepherd/, 31_000, 'about 22 to 40 kilograms'],
  [/rottweiler/, 46_000, 'about 35 to 60 kilograms'],
  [/great dane/, 62_000, 'about 45 to 80 kilograms'],
  [/singapura/, 2_700, 'about 2 to 3.5 kilograms'],
  [/siamese/, 4_000, 'about 3 to 5 kilograms'],
  [/domestic shorthair/, 4_500, 'about 3.5 to 5.5 kilograms'],
  [/british shorthair/, 6_000, 'about 4 to 8 kilograms'],
  [/ragdoll/, 6_800, 'about 4.5 to 9 kilograms'],
  [/maine coon/, 7_200, 'about 4.5 to 10 kilograms'],
  [/netherland dwarf/, 1_000, 'about 1 kilogram'],
  [/holland lop/, 1_700, 'about 1.5 to 2 kilograms'],
  [/\brex\b/, 3_800, 'about 3 to 4.5 kilograms'],
  [/flemish giant/, 7_000, 'about 6 kilograms and more'],
  [/canary/, 20, 'about 20 grams'],
  [/budgie|budgerigar/, 35, 'about 30 to 40 grams'],
  [/cockatiel/, 95, 'about 80 to 110 grams'],
  [/african grey/, 450, 'about 400 to 500 grams'],
  [/hamster/, 130, 'about 100 to 150 grams'],
  [/guinea pig/, 950, 'about 700 to 1200 grams'],
  [/ferret/, 1_300, 'about 700 to 2000 grams'],
  [/leopard gecko/, 65, 'about 50 to 80 grams'],
  [/bearded dragon/, 400, 'about 300 to 500 grams'],
  [/corn snake/, 700, 'about 500 to 900 grams'],
  [/hermann/, 3_000, 'about 2 to 4 kilograms'],
];

/** What grown animals of a breed usually weigh, or null if the guide does not say that. */
export const weightOf = (breed: string): { readonly grams: number; readonly text: string } | null => {
  const found = WEIGHTS.find(([words]) => words.test(breed.toLowerCase()));
  return found ? { grams: found[1], text: found[2] } : null;
};
