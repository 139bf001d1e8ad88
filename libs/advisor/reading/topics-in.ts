import { TOPIC_BOOK } from '../words/books.js';
import type { Topic } from '../words/concept.js';
import { gap, spacedWords, type Token } from './token.js';

/**
 * Returns the topics of care and of the store that words name, each once, in the order of the words. A topic is left out if a more
 * exact one is there: "how often do I feed it" is about meals, not about feeding as a whole.
 */
export const topicsIn = (tokens: readonly Token[]): readonly Topic[] => {
  const text = spacedWords(tokens);
  const topics: Topic[] = TOPIC_PATTERNS.flatMap(([topic, pattern]) => (pattern.test(text) ? [topic] : []));
  for (let at = 0; at < tokens.length;) {
    const found = TOPIC_BOOK(tokens, at);
    if (found?.concept.kind === 'topic') topics.push(found.concept.topic);
    at += found?.length ?? 1;
  }
  const replaced = new Set(topics.flatMap((topic) => BROADER[topic] ?? []));
  // "What do two cost together?" asks for a sum.
  const isSum =
    / (?:cost|costs|price|pay|how much) (?:[^ .?]+ ){0,6}(?:together|altogether) /.test(text) &&
    !/ (?:live|lives|stay|kept|keep|housed?|share) /.test(text);
  return [...new Set(topics)].filter((topic) => !replaced.has(topic) && !(isSum && topic === 'company'));
};

/** Topics whose words stand apart: "how often do I have to feed a gecko". A space comes before and after the text. */
export const TOPIC_PATTERNS: readonly (readonly [topic: Topic, pattern: RegExp])[] = (
  [
    [
      'visiting',
      `(?:bring|come with|take) (?:my|our) ${gap(3)}(?:kids|children|dog|dogs|cat|wife|husband|son|daughter|family|mum|mom) ${gap(4)}(?:see|look|meet|along|with me|visit|come)|come ${gap(2)}with (?:my|our)|(?:look at|see|meet|visit|come|stop) ${gap(6)}(?:on|this|next) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)|(?:come|go) (?:in|there|to you|to the (?:store|shop)) ${gap(4)}(?:see|look|meet)`,
    ],
    [
      'returning',
      `(?:return|bring back|give back|exchange) (?:a|the|this|that|my|our) ${gap(4)}(?:bought|got|adopted|last|from you|back)|(?:bought|adopted|got) ${gap(5)}(?:from you|at your|here|last (?:week|month|year)) ${gap(6)}(?:return|back|refund|sick|problem)`,
    ],
    [
      'away',
      `(?:off|going|go|fly|flying|travel|travelling|drive|driving) (?:to|on|for|abroad) ${gap(6)}(?:weeks?|days?|holidays?|vacation|trip|abroad)|on (?:a )?(?:holiday|holidays|vacation|trip)|(?:looks? after|feeds?|cares? for|pet sitter|sitter|cattery|kennels?) ${gap(6)}(?:while|when) (?:i|we) (?:am|are|go|fly|travel)`,
    ],
    [
      'person',
      `(?:speak|talk|chat) (?:to|with) (?:a |an |the |some |your |any )?(?:real |actual |live |human )?(?:human|person|people|someone|somebody|anyone|staff|employee|manager|agent|colleague|operator)(?: being| member)?|(?:real|actual|live|human) (?:human|person|agent|operator) (?:please|instead|here|now)|(?:connect|transfer|put) (?:me|us) (?:to|with|through)|(?:call|ring|phone) me(?: back)?|(?:need|want|get) (?:me )?(?:someone|somebody|anyone|a person|a human|a real person) ${gap(2)}(?:phone|line|call|chat)`,
    ],
    [
      'holding',
      `(?:reserve|reserving|hold|holding|keep|keeping|save|saving|put|book|set) ${gap(6)}(?:until|till|til|for (?:later|now|next|a (?:few |couple of )?(?:days?|weeks?|months?))|in (?:a |an |about |around )?(?:[0-9]+|one|two|three|four|couple of|few) (?:days?|weeks?|months?)|for (?:[0-9]+|one|two|three|four|a few) (?:more )?(?:days?|weeks?|months?))|(?:reserve|hold|keep|save|book) ${gap(6)}(?:birthday|christmas|xmas|holidays?|anniversary|easter|move|moved)`,
    ],
    [
      'equipment',
      `(?:cost|costs|price|prices|how much|expensive|cheap) ${gap(5)}(?:cages?|tanks?|terrariums?|terarium|vivarium|enclosures?|hutch|aviary|equipment|setup|set up|accessories|litter box|crate|supplies|gear|lamps?)|(?:cages?|tanks?|terrariums?|terarium|vivarium|enclosures?|hutch|aviary|equipment|setup|set up|accessories|crate|supplies|gear|lamps?) ${gap(3)}(?:cost|costs|price|prices|expensive|set me back|come to)`,
    ],
    [
      'fear',
      '(?:is|are|gets|get|seems|seem|looks|look) (?:so |very |really |always )?(?:scared|frightened|afraid|stressed|terrified|panicking)',
    ],
    [
      'lifespan',
      `how long (?:do|does|will|can|would|did|might) ${gap(6)}(?:live|lives|last|be around|survive)|how old (?:do|does|can|will) (?!i |we |you )${gap(5)}(?:get|become|live|grow|be)|life ?(?:span|expectancy|time)`,
    ],
    [
      'application',
      `how long ${gap(4)}(?:take|takes|wait|last|lasts) ${gap(5)}(?:adopt|adoption|adopting|get (?:one|him|her|it|a|my)|approved|process|order)`,
    ],
    [
      'law',
      '(?:licen[cs]e|permit|legal|illegal|allowed by law|law|laws|register|registration) (?:[^ .!?;]+ ){0,4}(?:for|to|keep|have|own|a|here)|(?:need|have to|must) (?:[^ .!?;]+ ){0,3}(?:licen[cs]e|permit|register|registration)|(?:is|are) (?:[^ .!?;]+ ){0,4}(?:legal|illegal)|dog tax|quarantined?',
    ],
    ['barking', `(?:wheel|digging|rattling|noise|noisy|loud|singing) ${gap(5)}(?:all night|at night|every night|in the night|keeps me)`],
    [
      'company',
      `(?:can|do|does|will|would|could|are) ${gap(7)}(?:be friends|become friends|live together|stay together|share a (?:cage|room|home)|fight)`,
    ],
    [
      'returning',
      `what (?:if|happens if) ${gap(12)}(?:landlord|move house|moving|lose my job|can't keep|cannot keep|says no|doesn't fit|does not fit|bites|dies)`,
    ],
    [
      'law',
      `(?:fly|flying|travel|travelling|traveling|move|moving|drive|driving) ${gap(4)}(?:to|abroad) ${gap(3)}with (?:the|a|my|our) ${gap(2)}(?:dog|cat|pet|rabbit|bird)|(?:fly|flying|travel|travelling|traveling) with (?:the|a|my|our) ${gap(2)}(?:dog|cat|pet)|pet passport`,
    ],
    [
      'requirements',
      `can i ${gap(2)}(?:adopt|buy|order|get|have) ${gap(4)}(?:without|by myself|on my own|alone|if i'm|if i am)|(?:i'm|i am|only) (?:only )?1[0-7] ${gap(6)}(?:adopt|buy|apply|allowed)|(?:need|have) ${gap(2)}(?:a parent|an adult|a guardian|my parents)|parents? permission|without my (?:parents|mom|mum|dad)|allowed to (?:adopt|buy)`,
    ],
    [
      'place',
      `(?:live|lives|living|keep|kept|keeping|stay|stays|sleep|sleeps|put|have|stand|house|leave|be|alone|ok|okay|fine|good|safe) ${gap(7)}(?:in|on|inside|at|into|to) (?:a|an|the|my|our|her|his|their)? ?${gap(2)}(?:kitchen|bedroom|bathroom|garage|shed|basement|cellar|attic|loft|barn|balcony|terrace|patio|office|classroom|workplace|living room|lounge|hallway|(?:kids?|childrens?|son|daughter|girls?|boys?) room|nursery|work)`,
    ],
    [
      'costs',
      `(?:what|how much) (?:does|do|will|would|is|are) ${gap(1)}(?:that|it|this|everything|all of (?:that|this|it)|the (?:equipment|setup|stuff|rest)) (?:all )?(?:cost|come to|add up)`,
    ],
    [
      'requirements',
      `(?:i'm|am|i am) (?:also )?(?:blind|deaf|disabled|in a wheelchair|homeless|unemployed|a student) ${gap(2)}(?:[.,!?;] )?${gap(6)}(?:adopt|get|have|own|buy|keep)`,
    ],
    ['visiting', `(?:see|meet|visit|hold|touch|try) (?:them|him|her|it|one|the pets?|the animals?|the dogs?|the cats?) ${gap(4)}before`],
    ['surrendering', '(?:swap|trade|exchange|trade in) (?:my|our)'],
    ['requirements', `(?:can|could|may) (?:i|we) ${gap(1)}(?:adopt|buy|get one|have one) ${gap(3)}(?:if|while|although|without|even)`],
    ['warmth', 'hibernate|hibernates|hibernating|hibernation|winter rest|brumation|brumate'],
    [
      'naming',
      `(?:name|names) for (?:a|an|my|our|the|him|her|it)|what (?:should|shall|could|do) (?:i|we) (?:name|call)|(?:good|cute|funny|nice|cool) names?(?! is)`,
    ],
    [
      'adopting',
      `(?:take|bring|get|collect) ${gap(4)}(?:home )?(?:today|right now|tomorrow|this weekend|straight away|immediately|same day)`,
    ],
    [
      'gift',
      `(?:as|for) (?:a |an )?(?:surprise |birthday |christmas |xmas )?(?:present|gift)|(?:birthday|christmas|xmas|surprise|valentine|valentines|wedding|anniversary) (?:present|gift|pet|puppy|kitten)|need (?:a )?present|(?:present|gift) for|surprise (?:my|our|her|him|them|the kids)|(?:it|its|is|as) (?:is )?a (?:big )?surprise(?: for)?|for (?:christmas|xmas|his birthday|her birthday|my birthday)`,
    ],
    [
      'sexes',
      `(?:male or (?:a )?female|female or (?:a )?male|boy or (?:a )?girl|girl or (?:a )?boy|boys or girls|males or females|females or males) ${gap(4)}(?:better|easier|best|think|recommend|difference|calmer)|(?:better|easier|difference|think|recommend|calmer|matter) ${gap(8)}(?:male or (?:a )?female|males? and females?|males? or females?|female or male|boy or (?:a )?girl|boys? or girls?)`,
    ],
    [
      'fear',
      `(?:scared|afraid|frightened|terrified|panics?|panicking|fear|anxious|nervous) ${gap(3)}(?:of|at|during|when|about) ${gap(2)}(?:fireworks?|thunder|storms?|noises?|people|strangers|men|cars|me|dark|hoover|vacuum|everything|other|bangs)|fireworks|thunderstorms?|separation anxiety`,
    ],
    [
      'barking',
      `(?:stop|stops|stopping|prevent|less|quiet|why|always|constantly|keeps|nonstop|non stop|all night|at night|all day) ${gap(5)}(?:bark|barks|barking|meow|meows|meowing|scream|screams|screaming|howl|howls|howling|chirping|squeaking)|(?:bark|barks|barking|meows|meowing|screams|screaming|howls|howling) ${gap(3)}(?:all night|all day|at night|constantly|nonstop|too much|a lot|all the time|how|at everything|at everyone)`,
    ],
    [
      'growth',
      `how (?:big|large|long|tall|heavy) (?:is|are) (?:a|an|the average)|how (?:big|large|long|tall|heavy) ${gap(4)}(?:get|gets|grow|grows|become|becomes)|(?:adult|full|grown) size|full grown|fully grown|(?:get|gets|grow) ${gap(2)}(?:how big|how large|too big|very big|very large)`,
    ],
    ['meals', `how (?:often|many times|much|many) ${gap(8)}(?:feed|feeding|eat|eats|fed|food|meals?|insects|hay|pellets)`],
    ['meals', `(?:feed|feeding|food|eat|eats|fed) ${gap(6)}(?:how often|how much|how many times)`],
    [
      'room',
      `(?:how (?:big|large|much (?:space|room))|what size|size of|minimum size) ${gap(6)}(?:cage|tank|terrarium|terarium|vivarium|enclosure|hutch|aviary|space|room|run)`,
    ],
    [
      'shopping',
      `what ${gap(2)}(?:do|should|must) (?:i|we|you) ${gap(2)}(?!(?:need |should )?to know)(?:need|buy|get|have) ${gap(6)}(?:before|for a|for an|for my first|to buy|to get|to have|to keep|for him|for her|for it|at home|for the first)`,
    ],
    [
      'surrendering',
      `(?:give|giving|bring|bringing|return|returning|hand|handing|drop|take|sell|selling|put) ${gap(1)}(?:my|our) ${gap(2)}(?:back|up|away|in|over|off|to you|to u|with you|for adoption)`,
    ],
    [
      'surrendering',
      `(?:do|can|could|would|will) (?:you|u|the store|your store|your shop) ${gap(1)}(?:take|buy|want|accept|adopt) ${gap(1)}(?:my|our|his|her|in|pets|animals|dogs|cats|old|unwanted)`,
    ],
    ['surrendering', `(?:can|could|want to|wanna|have to|must|need to) ${gap(2)}(?:give|bring|sell|rehome|return) (?:you|u) (?:my|our)`],
    ['adopting', `how ${gap(2)}(?:adopting|adoption|adopt|buying) ${gap(3)}(?:work|works|go|goes|process)`],
    ['adopting', `(?:adopting|adoption) ${gap(2)}(?:work|works|process|steps|procedure|go)`],
    [
      'adopting',
      `how (?:do|can|could|would|to) (?:i |we |you )?${gap(2)}(?:adopt|buy|get|order|reserve) ${gap(2)}(?:one|pet|it|him|her|them|these|from you|here)`,
    ],
    ['paying', 'pay with(?! (?:(?:my|our) (?:own|pocket|savings)|own) )'],
    [
      'goods',
      `(?:how much|price|cost|costs) ${gap(8)}(?:plus|with|incl|including|and) (?:a |the |its |all )?(?:cage|food|equipment|accessories|terrarium|tank|everything|stuff)`,
    ],
    [
      'paying',
      `(?:have to|need to|must|do (?:i|we)|does it|is it|are they) ${gap(2)}(?:pay|cost|free)(?: something| anything| for| to adopt| money)|(?:pay something|adoption (?:fee|fees|cost|costs|price)|costs? (?:to|of) (?:adopt|adoption|adopting)|how (?:do|can|could) (?:i|we) pay)`,
    ],
    [
      'surrendering',
      `(?:didn't|did not|never) (?:buy|get|adopt|purchase) (?:him|her|it|them|this|that) ${gap(1)}(?:at|from|here|in) ?(?:your|you)?`,
    ],
    [
      'hours',
      `(?:are|r) (?:you|u|ya|the store|the shop) (?:still |also )?(?:open|closed)|(?:when|what time|how late|how long|which days?|what days?) ${gap(4)}(?:open|opens|close|closes|closed|opening)|(?:open|closed) ${gap(2)}(?:on |today|tomorrow|sunday|sundays|saturday|saturdays|weekends?|now|monday|holidays|tonight)|opening (?:hours|times?)|business hours|your hours`,
    ],
    [
      'goods',
      `(?:do|can|could) (?:you|u|i) ${gap(2)}(?:sell|buy|stock|get|have) ${gap(3)}(?:food|cages?|toys|supplies|litter|leash|leads?|collars?|accessories|insects|crickets|terrariums?|hay|gift cards?|vouchers?)`,
    ],
    [
      'returning',
      `(?:what if|if) ${gap(6)}(?:doesn't work|does not work|don't like|do not like|don't get along|gets bored|allergic|changes? (?:my|his|her|their) mind)|(?:return|returns|refund|bring ${gap(2)}back|give ${gap(2)}back|take ${gap(2)}back)`,
    ],
  ] as const
).map(([topic, pattern]) => [topic, new RegExp(` (?:${pattern})(?= )`)]);

/** Topics that a more exact topic replaces. */
export const BROADER: Readonly<Partial<Record<Topic, readonly Topic[]>>> = {
  meals: ['feeding'],
  person: ['contact', 'visiting'],
  equipment: ['housing', 'costs', 'shopping', 'room', 'meals', 'feeding', 'paying'],
  goods: ['equipment'],
  holding: ['adopting'],
  costs: ['meals', 'feeding', 'vet', 'paying'],
  fear: ['training', 'vet', 'housing'],
  barking: ['training', 'vet', 'housing'],
  warmth: ['housing'],
  room: ['housing', 'shopping'],
  shopping: ['settling', 'housing', 'exercise'],
  toilet: ['training', 'housing'],
  biting: ['training', 'children'],
  surrendering: ['training', 'biting', 'returning'],
  place: ['housing', 'exercise', 'warmth', 'settling'],
  law: ['settling', 'shopping', 'away', 'lifespan'],
};
