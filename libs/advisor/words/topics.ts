import type { Phrases } from './phrases.js';

/** Words of questions about the care of animals. */
export const TOPICS: Phrases = [
  [
    'feed, feeding, fed, get fed, food, foods, eat, eats, eating, diet, treats, treat, nutrition, meal, meals, hay, kibble, drink, feed a',
    { kind: 'topic', topic: 'feeding' },
  ],
  [
    'exercise, walk, walks, walking, exercising, run around, bored, boredom, activity, enrichment, playtime, toys, how active, out of the cage',
    { kind: 'topic', topic: 'exercise' },
  ],
  [
    'cage, hutch, enclosure, terrarium, vivarium, aviary, tank, litter, litter box, bedding, housing, sleep, live outside, crate, habitat, heat lamp, uvb, temperature, how much space, space, perch, kennel, equipment, set up, setup, keep indoors, in the kitchen, keep a, keep an, keep my',
    { kind: 'topic', topic: 'housing' },
  ],
  [
    'vet, vets, veterinarian, vaccination, vaccinations, vaccine, vaccines, shots, check up, checkups, check ups, worm, worming, deworm, deworming, flea, fleas, ticks, sick, ill, illness, disease, diseases, symptoms, neutering, spaying, health care, insurance, scratching itself, keeps scratching, itching, itches, plucking, losing hair, losing feathers, sneezing, sneezes, coughing, coughs, wound, in pain, fever, smells bad, bad breath, overweight, too fat, too thin, smells funny, smells weird, smells strange, looks pale, pale, seems sad, is sad, weak, a lump, lump, itchy, losing weight, lost weight, gained weight, drinks a lot, sleeps a lot, tired, swelling, unwell, under the weather, not himself, not herself, not itself, worried about, hiding, hides, keeps hiding',
    { kind: 'topic', topic: 'vet' },
  ],
  ['groom, grooming, brush, brushing, bath, bathe, nails, nail, claws, teeth, clean, fur care, wash', { kind: 'topic', topic: 'grooming' }],
  [
    'train, training, toilet train, house train, potty, socialise, socialize, teach, how do i get my, biting, bites, nips, chewing, chews, growls, growling, jumps up, digs, digging, destroys, scratching, scratches, hisses, hissing,  barking at, behaviour, behavior, pulls on the lead, recall, tame, taming',
    { kind: 'topic', topic: 'training' },
  ],
  [
    'alone, need a companion, need companions, need a friend, company, introduce, introducing, introduction, in pairs, live together, live with, get along, together, other pets',
    { kind: 'topic', topic: 'company' },
  ],
  [
    'how long do, lifespan, life span, life expectancy, live for, how long does, live on average, how old do, live longest, live the longest, lives longest, lives the longest, longest lived, longest lifespan',
    { kind: 'topic', topic: 'lifespan' },
  ],
  [
    'before we bring, before i bring, bring it home, bring him home, bring her home, bring them home, need before, what do we need, what do i need, get ready, settle in, settle, settling, first day, first days, first week, first night, bring home, bringing home, new home, prepare, before i adopt, ready for, prepare for',
    { kind: 'topic', topic: 'settling' },
  ],
  [
    'per month, a month, monthly, per year, yearly, upkeep, running costs, running cost, ongoing costs, cost to keep, costs to keep',
    { kind: 'topic', topic: 'costs' },
  ],
  ['pregnant, pregnancy, weak immune system, immune system', { kind: 'topic', topic: 'pregnancy' }],
  [
    'visit, visiting, come and see, come see, come by, meet her, meet him, meet them, meet it, see her, see him, opening hours, open today, where are you, your address',
    { kind: 'topic', topic: 'visiting' },
  ],
  [
    'travel, travel a lot, travelling, traveling, away a lot, away for work, long hours, at work all day, work all day, work full time, holidays, vacation, on holiday, while we are away, when we are away',
    { kind: 'topic', topic: 'away' },
  ],
  [
    'least care, least work, least effort, least time, most care, most work, easiest pet, easiest to keep, easiest to care for, how much work, how much time, much work, little care, little work, easiest',
    { kind: 'topic', topic: 'effort' },
  ],
  [
    'the adoption, about adoption, about adopting, adopt it, adopt her, adopt him, how do i get, how do i adopt, how can i adopt, how to adopt, adoption process, apply, application, how do i buy, how can i buy, how to buy, reserve, how do i order, place an order, how does adoption work, pick up, paperwork, take her, take him, take them, what now, what next, next step, next steps, what happens next',
    { kind: 'topic', topic: 'adopting' },
  ],
];

/** Words of questions about a fact of one pet. */
export const FACTS: Phrases = [
  ['how much is, how much does, how much do, price of, cost of, what does it cost, what is the price', { kind: 'fact', fact: 'price' }],
  ['how old is, how old, age of', { kind: 'fact', fact: 'age' }],
  [
    'been here, been there, how long has, how long have, when did, waiting for, been waiting, arrive, arrived, came in, in the catalogue, in the catalog, in the store since, in the shelter',
    { kind: 'fact', fact: 'arrival' },
  ],
  ['what breed, which breed', { kind: 'fact', fact: 'breed' }],
  ['how big, how large, what size', { kind: 'fact', fact: 'size' }],
  [
    'male or female, boy or girl, boy or a girl, male or a female, girl or a boy, girl or boy, female or male, what gender, what sex, which sex',
    { kind: 'fact', fact: 'gender' },
  ],
  ['what colour, what color', { kind: 'fact', fact: 'color' }],
  ['still available, available, reserved, sold, adopted, still there, still looking, taken', { kind: 'fact', fact: 'status' }],
];
