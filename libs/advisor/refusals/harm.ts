import type { Token } from '../reading/token.js';

/** Words that turn harm into its prevention or into a report: "stop my dog from biting". */
const PROTECTIVE =
  /^(stop|stops|prevent|prevents|preventing|avoid|avoiding|protect|protecting|without|never|not|don't|dont|won't|can't|cannot|accidentally|accident|afraid|worried|scared|wrong|bad|cruel|illegal|was|were|been|being|instead|against|rescue|rescued|report|reporting|reported|save|safe|safely|danger|dangerous|toxic|poisonous|harmful|didn't|doesn't|isn't|threatens|threatened|wants|tries|tried|plans|saw|seen|heard|witnessed|caught|keep|keeps|keeping|heal|treat)$/;
/** How many words before and after a phrase are read together with it. */
const SCOPE = 7;

/** Returns the case of harm that a text asks for, or null. */
export const harmIn = (tokens: readonly Token[]): HarmCase | null => {
  const words = tokens.map(({ word }) => word);
  return HARM_CASES.find((one) => one.rules.some((rule) => matches(words, rule))) ?? null;
};

/** Whether the words before a phrase turn it into prevention, also in "break up a dog fight" and "my dog got hurt". */
const isProtective = (earlier: readonly string[]): boolean =>
  /^(got|gets)$/.test(earlier.at(-1) ?? '') ||
  earlier.some((word, at) => PROTECTIVE.test(word) || (/^break(s|ing)?$/.test(word) && earlier[at + 1] === 'up'));

/** Words of a message that reports what others do: "Some men run dog fights. Whom do I call?" */
const REPORTING = /^(call|report|police|authorities|protect|stop)$/;
const CUSTOMER = /^(i|i'm|i'd|i've|we|we're|me|us|let's)$/;

const matches = (
  words: readonly string[],
  { verbs, objects, isAlways, before, also = [], isReportable }: HarmCase['rules'][number],
): boolean =>
  words.some((_, at) => {
    const length = phraseAt(words, at, verbs);
    if (length === 0) return false;
    const earlier = clauseBefore(words, at);
    const isReport =
      isReportable && words.some((word) => REPORTING.test(word)) && !sentenceAround(words, at).some((word) => CUSTOMER.test(word));
    if (isReport && !/^(how|where|can|could)$/.test(earlier[0] ?? '')) return false;
    if (!isAlways && isProtective(earlier)) return false;
    if (before && !earlier.some((word) => before.has(word))) return false;
    if (also.some((group) => !sentenceAround(words, at).some((word) => group.has(word)))) return false;
    // "I would kill for a beagle" harms nobody.
    if (words[at + length] === 'for') return objects === null;
    return objects === null || hasObject(words, at + length, objects);
  });

const phraseAt = (words: readonly string[], at: number, phrases: ReadonlyMap<string, readonly (readonly string[])[]>): number =>
  phrases.get(words[at] ?? '')?.find((phrase) => phrase.every((word, nth) => words[at + nth] === word))?.length ?? 0;

/** Returns up to SCOPE words before a position, not beyond the beginning of the sentence. */
const clauseBefore = (words: readonly string[], at: number): readonly string[] => {
  const earlier = words.slice(Math.max(0, at - SCOPE), at);
  return earlier.slice(earlier.findLastIndex((word) => /^[.!?;\n]$/.test(word)) + 1);
};

/** Returns the words around a position that are in the same sentence. */
const sentenceAround = (words: readonly string[], at: number): readonly string[] => [
  ...clauseBefore(words, at),
  ...untilEnd(words.slice(at, at + 2 * SCOPE)),
];

const untilEnd = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex((word) => /^[.!?;\n]$/.test(word));
  return end < 0 ? words : words.slice(0, end);
};

const hasObject = (words: readonly string[], from: number, objects: ReadonlySet<string>): boolean => {
  for (const word of words.slice(from, from + SCOPE)) {
    if (/^[.!?;\n]$/.test(word)) return false;
    if (NO_VICTIMS.has(word)) return false;
    if (objects.has(word)) return true;
    if (/^(not|never|don't|dont|stop|without|from)$/.test(word)) return false;
  }
  return false;
};

/** Objects that are not victims. "Kill the fleas of my dog" is no harm, because the verb is about the fleas. */
const NO_VICTIMS: ReadonlySet<string> = new Set(
  'flea fleas tick ticks worm worms mite mites lice louse bacteria virus viruses weeds time smell odor odour germs parasite parasites feelings budget mood interest chances photo photos picture pictures video videos film hunger boredom appetite stain stains'.split(
    ' ',
  ),
);

type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;
type HarmRule = {
  readonly verbs: Phrases;
  /** The phrase of `verbs` must be followed by one of these words. Null if the phrase alone is enough. */
  readonly objects: ReadonlySet<string> | null;
  /** One of these words must come before the phrase, in the same sentence. */
  readonly before?: ReadonlySet<string>;
  /** The sentence must have a word of each of these sets. */
  readonly also?: readonly ReadonlySet<string>[];
  /** Whether the rule does not apply to a message that reports what others do. */
  readonly isReportable?: boolean;
  /** Whether the rule applies even after a word such as "stop". A rule without this flag treats that word as prevention. */
  readonly isAlways?: boolean;
};

/** A case of harm that the contract lists (contract 40.7), and its answer. */
export type HarmCase = { readonly name: string; readonly answer: string; readonly rules: readonly HarmRule[] };

/** Returns the phrases of a text by their first word. Commas separate the phrases. */
const phrases = (texts: string): Phrases =>
  Map.groupBy(
    texts.split(',').map((text) => text.trim().split(' ')),
    ([first = '']) => first,
  );
const set = (texts: string): ReadonlySet<string> => new Set(texts.split(' '));

const ANIMALS = set(
  'pet pets animal animals dog dogs puppy puppies pup cat cats kitten kittens kitty rabbit rabbits bunny bunnies bird birds parrot parrots reptile reptiles snake snakes lizard ' +
    'tortoise hamster hamsters ferret ferrets gerbil pony horse horses pigeon pigeons squirrel squirrels fox foxes stray strays it him her them beagle labrador poodle canary budgie gecko turtle',
);
const PEOPLE = set(
  'person people someone somebody anyone everybody neighbor neighbour neighbors neighbours wife husband girlfriend boyfriend ex boss mother father mom dad brother sister child children kid kids ' +
    'son daughter baby man woman men women roommate landlord colleague teacher classmates him her them stranger strangers intruders family friend police postman mailman guests visitors',
);
const ALONE = set('myself home ourselves yourself diy pills pill overdose cheaply without medication garage');
const EATERS = set('snake snakes python pythons boa boas lizard tegu crocodile constrictor monitor anaconda owl hawk falcon');
const PREY =
  'rabbit rabbits bunny bunnies kitten kittens puppy puppies hamster hamsters bird birds canary guinea gerbil gerbils dog dogs cat cats'.split(
    ' ',
  );
const SMALL_PREY = 'mouse mice rat rats chick chicks';
const BUYING = set('buy buying adopt order sell cheap cheapest live living want need get');
const AS_FOOD = ['for my', 'for our', 'to my', 'for his', 'for her'].flatMap((link) =>
  PREY.flatMap((prey) => [...EATERS].map((eater) => `${prey} ${link} ${eater}`)),
);
const INTENT = set('to i we and can should will would how me you gonna ways way could must helps help then');

const cruel =
  'kill, poison, hurt, torture, beat, kick, drown, strangle, choke, burn, starve, abuse, harm, injure, maim, shoot, stab, suffocate, mutilate, skin, whip, punch, hit, slaughter, murder, electrocute, torment, hang, behead, crush';
const REFUSE_ANIMAL =
  'I cannot help with harming an animal. If an animal is in danger or you cannot keep it, please call a vet, a shelter or the local animal welfare office.';
const REFUSE_PERSON = 'I cannot help with harming anyone. If somebody is in danger, please call your local emergency number.';

/** The cases that are refused, with the finish reason CONTENT_FILTER. The first case that matches counts. */
export const HARM_CASES: readonly HarmCase[] = [
  {
    name: 'self-harm',
    answer:
      'I am sorry that you are going through this. I cannot help with it, but people can: please call your local emergency number (112 or 911), in the US or Canada call or text 988, ' +
      'in the UK or Ireland call Samaritans on 116 123, or talk to somebody near you now.',
    rules: [
      {
        verbs: phrases(
          'kill myself, killing myself, hurt myself, hurting myself, harm myself, cut myself, end my life, ending my life, take my own life, end it all, shoot myself, hang myself, commit suicide, poison myself',
        ),
        objects: null,
        isAlways: true,
      },
      {
        verbs: phrases(
          "want to die, wanna die, don't want to live, suicidal, don't want to be alive, better off dead, no reason to live, i was dead, i were dead",
        ),
        objects: null,
        isAlways: true,
      },
    ],
  },
  {
    name: 'killing at home',
    answer:
      'I cannot help with ending the life of an animal. Only a vet may do that, without pain and when it is needed. Please call one; many vets come to your home.',
    rules: [
      {
        verbs: phrases(
          'euthanize, euthanise, put down, put to sleep, euthanasia, put him down, put her down, put it down, put my dog down, put my cat down, put my dog to sleep, put my cat to sleep, put him to sleep, put her to sleep',
        ),
        objects: ALONE,
      },
      { verbs: phrases('put, putting'), objects: ANIMALS, also: [ALONE, set('down sleep misery')] },
      { verbs: phrases('end, ending'), objects: set('life suffering misery'), also: [ALONE, ANIMALS] },
    ],
  },
  {
    name: 'fights',
    answer: 'I cannot help with fights between animals. They are cruel, and illegal in most countries.',
    rules: [
      {
        verbs: phrases(
          'dogfighting, dogfight, dog fighting, dog fights, cockfighting, cock fighting, cockfight, dog fight, fighting ring, fighting ring, bait dog, bait dogs, bait animal, bait animals, fighting dog, fighting dogs, pit fighting',
        ),
        objects: null,
        isReportable: true,
      },
      { verbs: phrases('train, teach, turn'), objects: set('attack fight kill maul'), before: INTENT },
      {
        verbs: phrases('for fighting, to fight with, to fight other, to attack, to maul'),
        objects: null,
        before: set('dog dogs pet animal puppy rooster'),
      },
    ],
  },
  {
    name: 'sexual abuse',
    answer: REFUSE_ANIMAL,
    rules: [{ verbs: phrases('bestiality, zoophilia, sex with, sexual with, mate with my dog myself'), objects: ANIMALS, isAlways: true }],
  },
  {
    name: 'animals as food or bait',
    answer:
      'I cannot help with that. The pets of this store go to homes that care for them, and never as food or bait. For the diet of a reptile, ask a vet or a specialist shop.',
    rules: [
      {
        verbs: phrases(
          'to feed, as food, feeder, live food, live prey, live bait, for my snake to eat, for my python to eat, for a meal, for dinner, to eat',
        ),
        objects: set('snake python boa lizard tegu crocodile'),
        before: set('rabbit rabbits bunny bunnies kitten kittens puppy puppies hamster hamsters bird birds pet pets cat guinea dog'),
      },
      { verbs: phrases('feed, feeding'), objects: new Set(PREY), also: [EATERS] },
      { verbs: phrases('feed, feeding'), objects: set(SMALL_PREY), also: [EATERS, BUYING] },
      { verbs: phrases('hungry, starving'), objects: new Set(PREY), before: EATERS },
      { verbs: phrases(AS_FOOD.join(',')), objects: null },
      {
        verbs: phrases(
          'as bait, for bait, fishing bait, bait for my, be bait, snake food, python food, food for my snake, food for my python',
        ),
        objects: null,
        before: set(`${PREY.join(' ')} ${SMALL_PREY} pet pets animal animals pig`),
      },
      {
        verbs: phrases(
          'snake can eat, python can eat, snake to eat, python to eat, snake could eat, snake will eat, snake dinner, python dinner, snake lunch',
        ),
        objects: null,
        before: new Set([...PREY, 'pig']),
      },
      {
        verbs: phrases('cook, eat, slaughter, butcher, roast, barbecue, fry, grill'),
        objects: set('dog dogs cat cats puppy kitten hamster hamsters pet pets parrot rabbit rabbits bunny'),
        before: set('to i we and how can recipe could want'),
      },
      {
        verbs: phrases(
          'for meat, for its meat, for their meat, for fur, for its fur, for their fur, rabbit recipe, rabbit stew, dog meat, cat meat',
        ),
        objects: null,
      },
    ],
  },
  {
    name: 'cruel operations',
    answer:
      'I cannot help with that. Such operations are cruel, and illegal in many countries. A vet can advise you on what the animal needs instead.',
    rules: [
      {
        verbs: phrases('declaw, declawing, debark, debarking, declawed, debarked, devocalize'),
        objects: set('cat cats kitten kittens dog dogs him her it them pet puppy where cheap cheaply done how myself home'),
        before: set('to i we how where get my can have want need'),
      },
      { verbs: phrases('declawed, debarked'), objects: null, before: set('where get how have cost cheaply should can') },
      {
        verbs: phrases('crop, dock, cut off, clip off, amputate, pull out'),
        objects: set('ears ear tail tails claws teeth wings'),
        before: INTENT,
      },
    ],
  },
  {
    name: 'abandoning',
    answer:
      'Please do not leave an animal behind: it is cruel, and illegal in most countries. A shelter, a vet or the animal welfare office finds it a place.',
    rules: [
      {
        verbs: phrases('abandon, dump, leave behind, throw away, throw out, set loose, leave outside to die, release, get rid of'),
        objects: set('woods forest street highway roadside river wild road trash garbage park dumpster secretly'),
        before: INTENT,
      },
    ],
  },
  {
    name: 'cruelty to animals',
    answer: REFUSE_ANIMAL,
    rules: [
      {
        verbs: phrases('most painful, inflict pain, cause pain, make it suffer, make him suffer, make her suffer, make them suffer'),
        objects: null,
      },
      { verbs: phrases(cruel), objects: ANIMALS, before: INTENT },
    ],
  },
  {
    name: 'harm to people',
    answer: REFUSE_PERSON,
    rules: [
      { verbs: phrases(`${cruel}, attack, assault, kidnap, bite, scare to death, rob, stalk, bomb`), objects: PEOPLE, before: INTENT },
      {
        verbs: phrases('make a bomb, build a bomb, make explosives, build a weapon, make a weapon, make poison, pipe bomb'),
        objects: null,
      },
    ],
  },
];
