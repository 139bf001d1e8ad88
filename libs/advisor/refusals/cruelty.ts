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
/** A pattern of up to this many words. */
const gap = (words: number): string => `(?:[^ .!?;\\n]+ ){0,${words}}`;

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
