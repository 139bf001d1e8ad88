import { gap, spacedWords, type Token } from '../reading/token.js';

/** A pattern of the names of animals, singular and plural. */
export const ANIMAL =
  '(?:dogs?|cats?|rabbits?|bunn(?:y|ies)|birds?|parrots?|budgies?|reptiles?|geckos?|snakes?|pythons?|tortoises?|turtles?|lizards?|hamsters?|guinea pigs?|ferrets?|gerbils?|pupp(?:y|ies)|pups?|kittens?|kitt(?:y|ies)|pets?|animals?|' +
  '(?:bearded )?dragons?|beardies?|chinchillas?|cockatiels?|lovebirds?|finch(?:es)?|iguanas?|chameleons?|degus?|mice|chihuahua|dachshund|collie|shepherd|bulldog|pug|spaniel|corgi|rottweiler|boxer|siamese|ragdoll|maine coon|' +
  'beagle|labrador|lab|poodle|retriever|husky|terrier|canary|canaries|horses?|pon(?:y|ies)|hedgehog|chinchilla|rats?|mouse|strays?)';

const HURTING =
  'kicks|kicking|kicked|beats|beating|beat|hits|hitting|hit|hurts|hurting|abuses|abusing|abused|tortures|torturing|tortured|mistreats|mistreating|mistreated|starves|starving|starved|neglects|neglecting|neglected|' +
  'whips|whipping|punches|punching|throws|throwing|drags|dragging|chokes|choking|strangles|burns|burning|poisons|poisoning|drowns|drowning|drowned|kills|killing|killed|shoots|shooting|stabs|locks|locked';
const WITNESSED =
  'neighbou?rs?|someone|somebody|people|man|woman|guy|he|she|they|kids?|children|teenagers|boys|husband|wife|boyfriend|girlfriend|partner|ex|father|mother|dad|mum|mom|brother|sister|roommate|flatmate|landlord|owner|friend|family|who|uncle|aunt|son|daughter|stranger';

const CASES: readonly RegExp[] = [
  ` (?:${WITNESSED}) ${gap(4)}(?:${HURTING}) ${gap(4)}${ANIMAL}(?= )`,
  ` (?:${WITNESSED}) ${gap(3)}(?:threatens|threatened|wants|tried|tries|plans|going) to (?:kill|poison|hurt|drown|shoot|beat|harm|abandon|dump) ${gap(3)}${ANIMAL}(?= )`,
  ` (?:${WITNESSED}|neighbou?r) ${gap(3)}${ANIMAL} ${gap(3)}(?:is|gets|was|being|been) (?:being |getting )?(?:beaten|kicked|starved|abused|mistreated|hit|neglected|chained|tortured)(?= )`,
  ` (?:left|dumped|abandoned|threw|thrown|tied|chained|leaves|keeps) ${gap(5)}${ANIMAL} ${gap(5)}(?:in a box|in a bag|box|bag|bin|dumpster|trash|road|roadside|street|highway|tree|fence|chain|chained|tied up|balcony|without (?:food|water)|hot car|doorstep|outside all)(?= )`,
  ` (?:left|dumped|abandoned|threw|found) (?:a|the|some|this) (?:box|bag|crate|cage|sack|bucket) ${gap(4)}${ANIMAL}(?= )`,
  ` (?:someone|somebody|people|neighbou?rs?|they|who) ${gap(3)}(?:left behind|left|dumped|abandoned) ${gap(4)}${ANIMAL}(?= )`,
  ` ${ANIMAL} ${gap(5)}(?:in a hot car|in the hot car|locked in a car|locked in the car|in a parked car|tied to|on a (?:short )?chain|chained up|dumped|abandoned|(?:being|getting) (?:beaten|kicked|starved|abused|mistreated|hit|tortured))(?= )`,
  `^(?=.* (?:report|call|police|authorities|protect|stop) ).* (?:dog ?fights|dog ?fighting|cock ?fights|cock ?fighting|fighting ring)(?= )`,
].map((source) => new RegExp(source));

/** Whether a text reports somebody who hurts, starves or abandons an animal (contract 40.5). */
export const cruelty = (text: string): boolean => CASES.some((one) => one.test(text));

const EATEN = 'ate|eaten|swallowed|licked|chewed|drank|drunk|gobbled|scoffed|wolfed down|nibbled|munched|got into|gotten into|got hold of';
const TOXIC =
  'chocolates?|grapes?|raisins?|sultanas?|onions?|garlic|xylitol|gum|lily|lilies|pills?|tablets?|medicine|medication|meds|ibuprofen|paracetamol|aspirin|tylenol|antifreeze|bleach|detergent|' +
  'cleaner|poison|pellets|bait|mushrooms?|macadamia|avocado|batter(?:y|ies)|coins?|needles?|string|thread|ribbon|socks?|bones?|plastic|rubber|cannabis|marijuana|weed|edibles?|' +
  'brownies?|alcohol|beer|wine|coffee|nicotine|cigarettes?|vape|paint|glue|foil|magnets?|stones?|fertili[sz]er|plants?|something|chemicals?';
const REFUSING =
  "hasn't|has not|haven't|have not|isn't|is not|not|didn't|won't|doesn't|does not|can't|cannot|can not|couldn't|refuses to|refusing to|stopped|unable to|struggles to|struggling to|barely|hardly|trouble|no longer|stopped";
const FUNCTION =
  'eat|eats|eaten|eating|drink|drunk|drank|drinking|poop|pooped|pooping|poo|pooed|pee|peed|peeing|wee|urinate|urinated|urinating|defecated?|breathe|breathes|breathing|' +
  'get up|getting up|got up|stand|stand up|standing|walk|walking|move|moves|moved|moving|wake|wake up|respond|responding|keep food down|keep anything down|keep water down|use (?:his|her|its) (?:back )?legs?';

/** Patterns of an emergency in everyday words. A space before and after each pattern makes it match whole words only. */
const SIGNS = [
  `(?:${EATEN}) ${gap(6)}(?:${TOXIC})`,
  'swallowed',
  `(?:${REFUSING}) ${gap(2)}(?:${FUNCTION})`,
  '(?:car|van|bus|truck|lorry|bike|bicycle|motorbike) (?:just )?(?:hit|struck|ran over)',
  '(?:hit|struck|knocked down|run over|ran over) by|(?:got|been|was) (?:hit|run over)|run over',
  'limping|limps|limp|floppy|bleeding|bleeds|blood|shaking|shakes|trembling|twitching|fits(?! (?:in|into|on|with|the|my|our|us|me|him|her|well|best|a|an|to|here|there|into))|a fit|fitting|seizures?|convulsing|convulsions?|unconscious|collapsed|unresponsive|paraly[sz]ed|' +
    'choking|choked|gasping|gagging|retching|wheezing|panting heavily|breathing (?:heavily|hard|fast|funny|weird)|staggering|wobbly|foaming|drooling a lot|lethargic|listless|apathetic|very weak|so weak|really weak|' +
    'vomiting|vomits|vomited|throwing up|threw up|throws up|puking|puked|(?:been|being|is being) sick|bloated|swollen|diarrhoea|diarrhea|straining|poisoned|poisoning|dying',
  '(?:broken|broke|fractured|snapped) (?:[^ ]+ )?(?:leg|legs|bone|wing|paw|tail|jaw|back|hip)|(?:leg|wing|paw|tail) is (?:broken|hanging|bent)',
  'fell (?:from|off|out|down)|fallen (?:from|off|out)|(?:dropped|stepped on|sat on) (?:my|our|the)',
  '(?:is|was|got|badly|been) (?:hurt|injured|wounded|stung|burnt|burned|scalded|electrocuted|stabbed|shot|crushed)|burned itself|drowning|overheated|heat ?stroke|snake bite|antifreeze|rat poison|' +
    'in agony|screaming|crying in pain|dragging (?:his|her|its)|(?:attacked|mauled|bitten|stung) by|(?:pale|blue|white) gums|gums are (?:pale|blue|white)',
].map((sign) => new RegExp(` (?:${sign})(?= )`, 'g'));

const OWNER = 'my|our|the|this|his|her|their|neighbou?r|friend|mum|mom|sister|brother';
/** An animal that may need help: somebody's animal, one that was found, or one that begins a sentence. */
const SUBJECT = new RegExp(
  ` (?:${OWNER}) ${gap(3)}${ANIMAL}(?= )|(?:^|[.!?;,\\n]| help| please| hi| hello)(?: ,)? (?:a )?${ANIMAL}(?= )|(?:found|there is|there) (?:a|an|this) ${gap(3)}${ANIMAL}(?= )|i have (?:a|an|two) ${gap(2)}${ANIMAL}(?= )`,
);
const PRONOUN = / (?:he|she|it|they|him|her|them)(?= )/;
/** A person of the customer's home. A pronoun in the same message probably means this person: "my gran can't walk far". */
const RELATIVE =
  / (?:my|our) (?:[^ ]+ )?(?:gran|granny|grandma|grandmother|nan|nana|grandpa|grandad|grandfather|mum|mom|mother|dad|father|parents|husband|wife|partner|boyfriend|girlfriend|friend|neighbou?r|aunt|uncle)(?= )/;
/** A question about a pet of the catalogue, not a call for help: "is he vaccinated". */
const ASKS_FACT = /^ (?:is|does|has|was|did|are|do|were|and is|and does) (?:he|she|it|they)(?= )/;
/** Words that show that the sign after them is about a person, not an animal: "I" in "I can't walk much". */
const PERSON =
  /(?: (?:i|i'm|i've|we|you|son|daughter|husband|wife|child|kid|kids|baby|me))(?: (?:am|have|just|really|also|do|who|and|has))*$/;
/** A message that begins with the name of an animal that has eaten something: "Buddy swallowed a sock." */
const NAMED_EATER = new RegExp(`^ [^ ]+ (?:has )?(?:just )?(?:(?:${EATEN}) ${gap(6)}(?:${TOXIC})|swallowed) `);
const PERSON_EATS = /^ (?:i|i've|we|you|who|mum|mom|dad|somebody|someone|he|she|they) /;
/** Words of a story about the past, which needs no help now. */
const PAST =
  / (?:last year|years ago|months ago|long ago|my (?:last|previous|late) (?:dog|cat|pet|rabbit|bird)|used to|passed away|as a child|died) /;
/** An animal that the customer looks for: "a dog that was hit by a car". */
const ADOPTION_REQUEST = new RegExp(
  ` (?:want|wanted|adopt|adopting|looking for|would like|love to have|buy) ${gap(1)}(?:a|an|any|some|another) ${gap(4)}${ANIMAL}(?= )` +
    `|^ (?:a|an|any|some) ${gap(4)}${ANIMAL} (?:(?:that|who|which) (?:doesn't|does not|don't|won't|isn't|is not|likes|loves|can|could|needs)|with (?:a )?(?:long|short|floppy|big|small|blue|green))(?= )`,
);
/** A pet that is looked for must be safe from an animal of the customer: "a pet that my cat won't eat". */
const SAFE_FROM_OWN =
  / (?:a|any|some|something|anything|pet|pets|animal|bird|one|fish) (?:[^ ]+ )?(?:that|which) (?:my|our|the) | (?:do you have|have you got|can i (?:get|have)) (?:[^ .!?;]+ ){0,6}(?:that|which) (?:my|our) | say (?:goodbye|good bye|farewell) /;
const OWN = new RegExp(` (?:my|our) ${gap(2)}${ANIMAL}(?= )`);
const BITTEN =
  / (?:bit (?:him|her|us|someone|somebody)|bit me|bit my (?:son|daughter|child|kid|hand|finger|arm|leg|face|wife|husband|mother|father)|scratched m[ey]|bit our (?:son|daughter|child|kid)) |(?: (?:son|daughter|child|kid|kids|i|me|wife|husband|baby)) (?:was|got|been|is|were) (?:bitten|scratched) /;

/**
 * Returns who may need help now: an animal, a person hurt by an animal, or an animal that somebody abuses (contract 40.5).
 * Returns null if the text describes no emergency.
 */
export const emergencyIn = (tokens: readonly Token[]): 'animal' | 'person' | 'abuse' | null => {
  const text = spacedWords(tokens);
  if (BITTEN.test(text)) return 'person';
  const isAdoptionRequest = ADOPTION_REQUEST.test(text) && !OWN.test(text);
  if (!isAdoptionRequest && cruelty(text)) return 'abuse';
  if (isAdoptionRequest || PAST.test(text) || SAFE_FROM_OWN.test(text)) return null;
  if (NAMED_EATER.test(text) && !PERSON_EATS.test(text)) return 'animal';
  const isAboutAnimal = SUBJECT.test(text) || (PRONOUN.test(text) && !ASKS_FACT.test(text) && !RELATIVE.test(text));
  return isAboutAnimal && SIGNS.some((sign) => isSigned(text, sign)) ? 'animal' : null;
};

const INJURY = new RegExp(
  ` (?:${EATEN}) ${gap(6)}(?:${TOXIC})(?= )| (?:swallowed|poison[a-z]*|hit|run over|fell|fallen|broken|broke|bleeding|bleeds|burnt|burned|bitten|attacked|stung|choking|drowning|seizures?|convulsi[a-z]+)(?= )`,
);

/** Whether a text about an emergency tells of an illness, not of poison or an injury. */
export const isIllness = (tokens: readonly Token[]): boolean => {
  const text = spacedWords(tokens);
  return !INJURY.test(text) || / (?:eaten|ate) (?:anything|nothing|for|since|in|much|properly|all) /.test(text);
};

/** Whether the text has this sign, and the sign is about an animal. After words such as "I" or "my son", it is about a person. */
const isSigned = (text: string, sign: RegExp): boolean =>
  [...text.matchAll(sign)].some(({ index }) => !PERSON.test(text.slice(Math.max(0, index - 30), index)));
