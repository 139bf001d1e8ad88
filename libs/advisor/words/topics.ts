import type { Phrases } from './phrases.js';

/** Words of questions about the care of animals. */
export const TOPICS: Phrases = [
  [
    'temperature, temperatures, temp, degrees, how warm, how hot, how cold, celsius, fahrenheit, basking, basking spot, heating',
    { kind: 'topic', topic: 'warmth' },
  ],
  [
    'need to buy, have to buy, must i buy, should i buy, shopping list, what to buy, what else do i need, what else do we need, what do i need for, what do we need for, what do you need for, what do i need to have, what do i need to get, what do we need to get, what stuff, supplies, equipment, accessories, what do i need at home, what things do i need, what do i need to keep, set up, setup, starter kit, need before, get before, buy before',
    { kind: 'topic', topic: 'shopping' },
  ],
  [
    'toilet train, toilet training, toilet trained, house train, house training, housetrain, housebreak, potty, potty train, potty training, pees, peeing, pee, poops, poop, pooping, poo, clean himself, litter train, litter training, use the litter, using the litter, wees, wet the, goes to the toilet, go to the toilet, use a toilet',
    { kind: 'topic', topic: 'toilet' },
  ],
  ['bite, bites, biting, bit, nips, nipping, nip, stop biting, snaps, snapping, mouthing', { kind: 'topic', topic: 'biting' }],
  [
    'feed, feeding, fed, get fed, food, foods, eat, eats, eating, diet, treats, treat, nutrition, meal, meals, hay, kibble, drink, feed a',
    { kind: 'topic', topic: 'feeding' },
  ],
  [
    'exercise, walk, walks, walking, exercising, run around, bored, boredom, activity, enrichment, playtime, toys, how active, out of the cage',
    { kind: 'topic', topic: 'exercise' },
  ],
  [
    'cage, hutch, enclosure, terrarium, vivarium, aviary, tank, litter, litter box, bedding, housing, sleep, live outside, crate, habitat, heat lamp, heat mat, uvb, space, perch, kennel, keep indoors, in the kitchen, keep a, keep an, keep my',
    { kind: 'topic', topic: 'housing' },
  ],
  [
    'vet, vets, veterinarian, vaccination, vaccinations, vaccine, vaccines, shots, check up, checkups, check ups, worm, worming, deworm, deworming, flea, fleas, ticks, sick, ill, illness, disease, diseases, symptoms, neutering, spaying, neuter, spay, castrate, castration, sterilise, sterilize, health care, insurance, scratching itself, keeps scratching, itching, itches, plucking, losing hair, losing feathers, sneezing, sneezes, coughing, coughs, wound, in pain, fever, smells bad, bad breath, overweight, too fat, too thin, smells funny, smells weird, smells strange, looks pale, pale, seems sad, is sad, weak, a lump, lump, itchy, losing weight, lost weight, gained weight, drinks a lot, sleeps a lot, tired, swelling, unwell, under the weather, not himself, not herself, not itself, worried about, hiding, hides, keeps hiding',
    { kind: 'topic', topic: 'vet' },
  ],
  ['groom, grooming, brush, brushing, bath, bathe, nails, nail, claws, teeth, clean, fur care, wash', { kind: 'topic', topic: 'grooming' }],
  [
    "train, training, socialise, socialize, teach, how do i get my, chewing, chews, growls, growling, jumps up, digs, digging, destroys, scratching, scratches, hisses, hissing,  barking at, behaviour, behavior, pulls on the lead, pulls on the leash, pulls on leash, pulls on lead, pulls the leash, pulls the lead, won't listen, doesn't listen, does not listen, never listens, doesn't obey, come when called, jumps on people, jumps at people, recall, tame, taming",
    { kind: 'topic', topic: 'training' },
  ],
  [
    'alone, need a companion, need companions, need a friend, company, introduce, introducing, introduction, in pairs, live together, live with, get along, together, other pets',
    { kind: 'topic', topic: 'company' },
  ],
  [
    'lifespan, life span, life expectancy, live for, live on average, live longest, live the longest, lives longest, lives the longest, longest lived, longest lifespan',
    { kind: 'topic', topic: 'lifespan' },
  ],
  [
    'before we bring, before i bring, bring it home, bring him home, bring her home, bring them home, what do we need, what do i need, get ready, settle in, settle, settling, first day, first days, first week, first night, bring home, bringing home, new home, prepare, before i adopt, ready for, prepare for',
    { kind: 'topic', topic: 'settling' },
  ],
  [
    'per month, a month, monthly, per year, yearly, upkeep, running costs, running cost, ongoing costs, cost to keep, costs to keep',
    { kind: 'topic', topic: 'costs' },
  ],
  ['pregnant, pregnancy, weak immune system, immune system', { kind: 'topic', topic: 'pregnancy' }],
  [
    'visit, visiting, come and see, come see, come by, come and meet, come meet, come to meet, come over, come round, pop in, pop by, pop over, pop round, drop by, drop in, swing by, stop by, in person, ' +
      'meet the pets, meet the animals, see the pets, see the animals, viewing, viewings, opening times, closing time, what time do you, your location, located, location, directions, look around, have a look around, bring my dog, bring our dog, bring my dogs, ' +
      ' meet her, meet him, meet them, meet it, see her, see him, opening hours, open today, where are you, your address',
    { kind: 'topic', topic: 'visiting' },
  ],
  [
    'travel, travel a lot, travelling, traveling, away a lot, away for work, holidays, vacation, on holiday, while we are away, when we are away',
    { kind: 'topic', topic: 'away' },
  ],
  [
    'least care, least work, least effort, least time, most care, most work, how much work, how much time, much work, little care, little work',
    { kind: 'topic', topic: 'effort' },
  ],
  [
    'adopt from you, how can i get, how could i get, how would i get, how do we get, how can we get, reserving, be reserved, hold a pet, hold a dog, hold a cat, put on hold, put aside, set aside, ' +
      'the adoption, about adoption, about adopting, adopt it, adopt her, adopt him, how do i get, how do i adopt, how can i adopt, how to adopt, adoption process, apply, application, how do i buy, how can i buy, how to buy, reserve, how do i order, place an order, how does adoption work, pick up, pick him up, pick her up, pick it up, pick them up, collect him, collect her, collect it, paperwork, take her, take him, take them, what now, what next, next step, next steps, what happens next',
    { kind: 'topic', topic: 'adopting' },
  ],
];

/** Words of questions about the process of this store. */
export const STORE_TOPICS: Phrases = [
  [
    "nobody called, no one called, nobody replied, no one replied, no reply, not heard, haven't heard, never heard, filled in the form, filled out the form, filled in a form, filled out a form, sent the form, sent in the form, " +
      'hear back, heard back, hear from you, hear anything, heard anything, heard nothing, any news, application status, my application, our application, the application, an application, i applied, ive applied, we applied, have applied, applied for, already applied, ' +
      'after i apply, after applying, once i apply, once i have applied, when i apply, if i apply, when will i know, when do i know, get approved, be approved, been approved, got rejected, been rejected, was rejected, were rejected, get rejected, who decides, decide on, decision, waiting list, approval, response time, ' +
      'get back to me, get back to us, how long does the application, how long does an application, how long do applications, how long does the adoption, how long does adoption, how long does approval, how long does the process, how long is the process, ' +
      'how long does it all take, how long until i, how long till i, how long before i, how long will i wait, how long do i wait, how long do i have, how long to hear, reply to applications, answer applications, your answer, your decision',
    { kind: 'topic', topic: 'application' },
  ],
  [
    'how old do i have, how old do you have, how old must i, minimum age, am i old enough, am i too old, am i too young, requirements, requirement, what do i need to adopt, what do we need to adopt, need to adopt, need to be to adopt, needed to adopt, who can adopt, can anyone adopt, allowed to adopt, ' +
      'eligible, qualify, home check, home checks, home visit, home visits, background check, background checks, documents, proof of, what do you need from, adopt two, adopt both, adopt more than one, adopt several, adopt multiple, landlord permission',
    { kind: 'topic', topic: 'requirements' },
  ],
  [
    'how do i pay, how do we pay, how can i pay, can i pay by, can i pay in, can i pay cash, can we pay, pay by, pay in, pay cash, payment, payments, paypal, cash, credit card, debit card, by card, with card, adoption fee, adoption fees, extra fee, extra fees, other fees, any fees, hidden costs, deposit, instalments, installments, monthly payments',
    { kind: 'topic', topic: 'paying' },
  ],
  [
    'return him, return her, return it, return them, return a pet, return the pet, return a dog, return a cat, return policy, returns policy, returns, bring him back, bring her back, bring it back, bring them back, take him back, take her back, take it back, give him back, give her back, give it back, send back, ' +
      "refund, refunds, refunded, money back, doesn't work out, does not work out, didn't work out, not work out, not working out, isn't working out, trial period, on trial, a trial, cooling off, change my mind later",
    { kind: 'topic', topic: 'returning' },
  ],
  [
    'deliver, delivery, delivered, delivering, ship, ships, shipping, transport, courier, bring him to me, bring her to me, bring it to me, bring it to my, bring him to my, bring her to my',
    { kind: 'topic', topic: 'delivery' },
  ],
  [
    "give up my, give up our, giving up my, surrender, surrendering, rehome, rehoming, re home my, take in my, take in our, take in pets, take in animals, new home for my, new home for our, hand over my, can't keep my, cannot keep my, can't keep him, can't keep her, give away my, giving away my, no longer keep my, accept donations of pets",
    { kind: 'topic', topic: 'surrendering' },
  ],
  ['my order, our order, order status, track my, tracking number', { kind: 'topic', topic: 'orders' }],
  [
    'photo, photos, picture, pictures, pic, pics, image, images, video of, videos of, what does he look like, what does she look like',
    { kind: 'topic', topic: 'photos' },
  ],
  [
    'phone number, telephone, call you, ring you, your phone, your email, email you, contact you, contact details, contact the, get in touch, reach you, talk to someone, speak to someone, talk to somebody, speak to somebody, talk to a human, speak to a human, talk to a person, speak to a person, speak to the staff, talk to the staff, speak to staff, talk to staff, contact number, whatsapp',
    { kind: 'topic', topic: 'contact' },
  ],
];

/** Words of questions about a fact of one pet. */
export const FACTS: Phrases = [
  ['how much is, how much does, how much do, price of, cost of, what does it cost, what is the price', { kind: 'fact', fact: 'price' }],
  ['how old is, how old, age of', { kind: 'fact', fact: 'age' }],
  [
    'been here, been there, come to you, came to you, come here, get here, got here, how long has, how long have, when did, waiting for, been waiting, arrive, arrived, came in, in the catalogue, in the catalog, in the store since, in the shelter',
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
