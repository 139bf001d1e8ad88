/**
 * Contractions that people write without the apostrophe. Spellings that are also other words, such as "ill", "were" and
 * "its", are left out. "thats" becomes "that", because no token ends with `'s`.
 */
const CONTRACTIONS: ReadonlyMap<string, string> = new Map(
  "can't don't isn't won't doesn't didn't hasn't haven't hadn't wasn't weren't aren't wouldn't shouldn't couldn't i'm i've you're they're we've they've you've that's he's she's who's what's where's when's how's there's here's"
    .split(' ')
    .map((word) => [word.replace("'", ''), word.replace(/'s$/, '')]),
);

/** Short and mistyped forms of frequent words that are too short for a correction by rule. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['u', 'you'],
  ['ur', 'your'],
  ['yuo', 'you'],
  ['hav', 'have'],
  ['wat', 'what'],
  ['wut', 'what'],
  ['wot', 'what'],
  ['teh', 'the'],
  ['adn', 'and'],
  ['wiht', 'with'],
  ['abt', 'about'],
  ['dgo', 'dog'],
  ['dgos', 'dogs'],
  ['ppl', 'people'],
  ['r', 'are'],
  ['wanna', 'want'],
  ['gonna', 'going'],
  ['gotta', 'must'],
  ['ya', 'you'],
  ['pls', 'please'],
  ['plz', 'please'],
  ['thru', 'through'],
  ['n', 'and'],
  ['sth', 'something'],
  ['smth', 'something'],
  ['somthing', 'something'],
  ['alot', 'lot'],
  ['kinda', 'rather'],
  ['hubby', 'husband'],
  ['diff', 'difference'],
  ['info', 'information'],
  ['apt', 'apartment'],
  ['bday', 'birthday'],
  ['temp', 'temperature'],
  ['b4', 'before'],
  ['gf', 'girlfriend'],
  ['bf', 'boyfriend'],
  ['lonley', 'lonely'],
  ['lonly', 'lonely'],
  ['suprise', 'surprise'],
  ['surprize', 'surprise'],
]);

/** Animals as people write them by ear, with more than one wrong letter. */
const BY_EAR = (
  'hampster hamster, hampsters hamsters, hamstar hamster, gekko gecko, gekkos geckos, geko gecko, geckoes geckos, gecco gecko, daschund dachshund, dachsund dachshund, dashund dachshund, dachhund dachshund, chiwawa chihuahua, chihuaha chihuahua, chuhuahua chihuahua, ' +
  'rotweiler rottweiler, rottweiller rottweiler, retreiver retriever, retrever retriever, labradore labrador, labador labrador, poodel poodle, dalmation dalmatian, dobermann doberman, shepard shepherd, shephard shepherd, sheperd shepherd, cockateil cockatiel, cockateel cockatiel, ' +
  'cockatil cockatiel, parakeat parakeet, parot parrot, parrott parrot, budgy budgie, budgee budgie, tortise tortoise, tortoiese tortoise, turtel turtle, turtels turtles, lizzard lizard, ferrit ferret, gerbal gerbil, guinee guinea, ginny guinea, guiney guinea, guinnea guinea, ginea guinea, ' +
  'bunnie bunny, bunnys bunnies, pupy puppy, pupys puppies, puppie puppy, kity kitty, kitin kitten, siamise siamese, snek snake, sneks snakes, pittbull pitbull, alsation alsatian, pomaranian pomeranian, beegle beagle, begal beagle'
).split(', ');

const EARS: ReadonlyMap<string, string> = new Map(BY_EAR.map((pair) => pair.split(' ') as [string, string]));

/** Returns a word in its usual spelling: "can't" for "cant", "you" for "u". */
export const usualSpelling = (word: string): string => CONTRACTIONS.get(word) ?? SHORT_FORMS.get(word) ?? EARS.get(word) ?? word;
