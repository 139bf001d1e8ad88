import { gap, spacedWords, type Token } from './token.js';

const ANIMAL =
  'dogs?|doggo|doggy|pup|puppy|puppies|tomcats?|cats?|kitty|kittens?|rabbits?|bunny|bunnies|birds?|parrots?|budgies?|hamsters?|guinea pigs?|ferrets?|gerbils?|rats?|snakes?|geckos?|lizards?|tortoises?|turtles?|pets?|hound|' +
  'labrador|lab|beagle|retriever|poodle|terrier|collie|shepherd|dachshund|spaniel|bulldog|pug|husky|chihuahua|siamese|ragdoll|best friend|furry friend|fur baby|old boy|old girl|boy|girl|companion|baby';
const PERSON = 'husband|wife|partner|mum|mom|mother|dad|father|son|daughter|brother|sister|friend|gran|grandma|grandpa|nan';

const DEATHS = [
  `(?:${ANIMAL}) ${gap(8)}(?:it|he|she) (?:just |has )?died`,
  `(?:my|our|the|his|her|their|${ANIMAL}) ${gap(5)}(?:died|dies|has died|passed away|passed on|passed over|passed last|passed yesterday|passed this|is gone now|was put down|was put to sleep|got put down|had to be put)`,
  `(?:lost|losing|loosing|lose) (?:my|our|a|the|two|both) ${gap(4)}(?:${ANIMAL})`,
  `(?:miss|missing|mourn|mourning|grieve|grieving|grieving for|heartbroken about|cry about|crying about) (?:my|our|the) ${gap(3)}(?:${ANIMAL})`,
  `(?:my|our) late (?:${PERSON}|${ANIMAL})`,
  'rainbow bridge',
  '(?:he|she) (?:has |just |sadly )?(?:passed|passed away|died)',
  `(?:had to|have to have|just) (?:put|putting) ${gap(4)}(?:down|to sleep|to rest)`,
  `say (?:goodbye|good bye|farewell) to (?:my|our) ${gap(3)}(?:${ANIMAL})`,
  `(?:death|loss) of (?:my|our) ${gap(3)}(?:${ANIMAL}|${PERSON})`,
  `(?:my|our) ${gap(2)}(?:${PERSON}) (?:just |recently )?(?:died|passed away|passed)`,
  `(?:died|passed away) ${gap(3)}(?:my|our) ${gap(2)}(?:${ANIMAL})`,
].map((pattern) => new RegExp(` (?:${pattern})(?= )`));
const MISSING = new RegExp(
  ` (?:(?:my|our) ${gap(3)}(?:${ANIMAL}) (?:has |just )?(?:ran away|run away|ran off|escaped|got out|got lost|went missing|gone missing|is missing|is lost|disappeared|flew away|flew off)` +
    `|(?:my|our) ${gap(2)}(?:${ANIMAL}) ${gap(6)}(?:he|she|it) (?:ran away|ran off|escaped|got out|went missing|disappeared|never came (?:back|home)|flew away)` +
    `|lost (?:my|our) ${gap(2)}(?:${ANIMAL}) ${gap(2)}(?:in the (?:park|woods|street|city|forest)|today|on a walk|this morning|during))(?= )`,
);
/** "I don't want to lose my dog" tells of no loss. */
const NOT_YET = / (?:don't|do not|didn't|afraid|scared|might|will|if|when) (?:[^ ]+ ){0,3}(?:lose|losing|dies|die) /;

/**
 * Returns what a message tells about an animal or a person of the customer's home: that it died (`death`), or that the animal ran
 * away (`missing`). Returns null for other messages.
 */
export const lossIn = (tokens: readonly Token[]): 'death' | 'missing' | null => {
  const text = spacedWords(tokens);
  if (MISSING.test(text)) return 'missing';
  return !NOT_YET.test(text) && DEATHS.some((pattern) => pattern.test(text)) ? 'death' : null;
};
