import { sections } from './guide.js';

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
