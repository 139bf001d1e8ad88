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
