import type { Species } from '../../domain/pets/pet.events.js';

/** A room or a place where an animal may live, the words for it, and what the guide says for each species. */
type Place = { readonly words: RegExp; readonly texts: Readonly<Record<Species, string>> };

const COLD =
  'is no place to live: it is often cold, dark or full of fumes, and the animal is alone there. Choose a room with daylight where people are.';

/** Where animals may live. The first place whose words a question has counts. */
const PLACES: readonly Place[] = [
  {
    words: / (?:kitchen|kitchenette) /,
    texts: {
      BIRD: 'No, not in a kitchen: fumes of non-stick pans can kill a bird within minutes, and steam, heat, draughts and open pots are dangerous too. Choose a bright, quiet room.',
      DOG: 'A dog may have its bed in a kitchen, away from the stove and the bin, if it can be with its people.',
      CAT: 'A cat may eat in a kitchen, but its litter box belongs elsewhere. Keep hot plates covered, and lilies out.',
      RABBIT: 'A kitchen is rather too warm, loud and small for rabbits: they need about six square metres for two, without cables.',
      REPTILE:
        'A kitchen suits a terrarium badly: steam and heat change its climate, and reptiles can carry salmonella, so keep them away from food.',
      OTHER: 'A kitchen suits small animals badly: smells, steam, noise and draughts. Choose a quiet room without sun on the cage.',
    },
  },
  {
    words:
      / (?:bedroom|bedrooms|next to my bed|beside my bed|where i sleep|(?:kids?|childrens?|child|son|daughter|boys?|girls?)'? room|my room|her room|his room|nursery) /,
    texts: {
      BIRD: 'A bedroom is possible if you are there by day too: birds need company, ten to twelve hours of dark quiet, and chirp at sunrise. Feather dust can trouble people with asthma.',
      DOG: 'Yes, many dogs like to sleep in the bedroom of their people, in a bed of their own.',
      CAT: 'Yes, but a cat needs more than one room, and is often awake before you are.',
      RABBIT: 'Possible if two rabbits have about six square metres there. They are awake early and late, and gnaw at cables.',
      REPTILE:
        'Yes, a terrarium can stand in a bedroom, if its lamps and heating may run as they must. Geckos and snakes are awake in the evening.',
      OTHER:
        'Possible for light sleepers only in part: hamsters, rats and chinchillas are loud at night. Guinea pigs rest at night more than those, and need room for two.',
    },
  },
  {
    words: / (?:bathroom|toilet room|shower|laundry room|utility room) /,
    texts: {
      BIRD: 'No, a bathroom is too damp and lonely for a bird, and sprays and cleaners harm its lungs.',
      DOG: 'No, not to live in: a dog belongs with its people, and slippery floors and cleaners are a risk. A short stay is fine.',
      CAT: 'The litter box may stand in a bathroom if the door stays open. To live there is too lonely.',
      RABBIT: 'No: slippery floors, damp and too little room.',
      REPTILE: 'No: the damp and the changing heat of a bathroom do not suit a terrarium.',
      OTHER: 'No: damp, draughts and cleaners make small animals ill.',
    },
  },
  {
    words: / (?:garage|shed|basement|cellar|attic|loft|barn|stable) /,
    texts: {
      BIRD: `A garage, shed or cellar ${COLD}`,
      DOG: 'No, a dog does not belong in a garage, shed or cellar: it needs to live with its people.',
      CAT: `A garage, shed or cellar ${COLD}`,
      RABBIT:
        'A dry, bright shed with a run can work for two or more rabbits, without fumes, draughts and heat. A garage with a car is too dangerous.',
      REPTILE:
        'Only if the room is dry, insulated and has daylight or lamps: the terrarium must keep its temperature in winter too. A garage with a car is no place for it.',
      OTHER:
        'No: small animals need about 15 to 24 degrees Celsius, daylight and clean air, and in a garage, shed or cellar nobody sees that they are ill.',
    },
  },
  {
    words: / (?:balcony|balconies|terrace|patio|roof) /,
    texts: {
      BIRD: 'On mild days in a cage with shade, yes; to live there, no: draughts, sun and cold make birds ill, and birds of prey and cats come near.',
      DOG: 'No, a dog does not live on a balcony. With you beside it and a safe railing it may be there for a while.',
      CAT: 'A cat may be on a balcony that is secured with a net. It does not live there.',
      RABBIT:
        'Two rabbits can live on a large balcony if it is secured, shaded and dry, and they went out in spring to get used to the cold. Above about 25 degrees Celsius it is dangerous.',
      REPTILE: 'For a sunny hour in a safe run, yes, for tortoises and bearded dragons. A balcony alone is no home for a reptile.',
      OTHER: 'Guinea pigs may be out on mild, dry days in the shade. Hamsters and other small animals stay inside.',
    },
  },
  {
    words: / (?:office|classroom|at work|to work with me|workplace|kindergarten) /,
    texts: {
      BIRD: 'Rather not: noise, strangers and lonely nights and weekends are hard on birds.',
      DOG: 'A calm adult dog can come to an office that allows it, if it has a quiet place and goes out every few hours. Ask everybody first, because of allergies and fear.',
      CAT: 'No, an office suits a cat badly: it needs a territory of its own, also at night and on weekends.',
      RABBIT: 'Rather not: rabbits need room, quiet, and care on each day, weekends too.',
      REPTILE: 'Possible if somebody sees to heat, light, water and food on weekends and holidays too, and everybody washes their hands.',
      OTHER: 'Rather not: hamsters sleep by day, all small animals need quiet, and somebody must come on weekends and in the holidays.',
    },
  },
  {
    words: / (?:living room|lounge|sitting room|hallway|corridor|dining room) /,
    texts: {
      BIRD: 'Yes, a living room is a good place: bright, near people, without draughts, smoke and loud music, and dark at night.',
      DOG: 'Yes, a quiet corner of the living room is a good place for its bed.',
      CAT: 'Yes, with a scratching post, a high place and a view from the window.',
      RABBIT: 'Yes, if two rabbits have about six square metres there, and cables are covered.',
      REPTILE: 'Yes, on a firm stand, out of direct sun and away from loudspeakers.',
      OTHER: 'Yes, in a quiet corner away from sun, draughts and the television.',
    },
  },
];

/** What the guide says about the place that a question names, for a species. Null if it names none. */
export const placeText = (text: string, species: Species): string | null =>
  PLACES.find(({ words }) => words.test(text))?.texts[species] ?? null;
