/**
 * Words of a customer, and words of descriptions that answer them. A description is quoted, never stated: what the staff wrote may
 * be meant otherwise.
 */
const WISHES: readonly (readonly [said: RegExp, described: RegExp])[] = [
  [
    /likes? people|loves? people|people person|friendl|affection|cuddl|snuggl|lap (?:cat|dog)|company|companionship|sociable|outgoing|loving|lonely|social|recogni[sz]e|happy (?:to see|when i)|greet/,
    /greets visitors|(?:loves|likes) (?:people|visitors|cuddles|company)|friendly|affection|cuddl|on (?:your|the) lap|eats from the hand|steps onto the finger|is tame|being handled/i,
  ],
  [
    /calm|gentle|laid back|relaxed|chill|easy ?going|lazy|sleepy|peaceful|mellow/,
    /\bcalm|\bnaps\b|gentle|relaxed|\bquiet\b|laid.back|easy.going/i,
  ],
  [
    /\brun\b|runs|running|jog|hik|long walks|active|energetic|sporty|outdoorsy|adventure/,
    /long walks|fetch|loves to run|hiking|energetic/i,
  ],
  [/playful|play|fun|games|fetch/, /\bplays\b|fetch|playful|tunnels|binkies/i],
  [/trained|obedient|well behaved|knows tricks|manners/, /sit and stay|on the lead|trained|knows/i],
  [/litter|house ?trained|potty|toilet/, /litter.trained|house.?trained|litter box/i],
  [/together|pair|companion|bonded|friend for|two /, /with a companion|in a pair|bonded/i],
  [/(?:talk|speak)(?!\w* (?:to|with|about))|words|mimic|whistl|sing/, /mimics|talks|whistles|sings|words/i],
  [/indoor|flat|apartment|never goes out/, /indoor/i],
  [/handle|hold|tame|pick (?:it|him|her|them)? ?up|touch|pet it|stroke/, /being handled|is tame|onto the finger|from the hand/i],
  [/night|evening|nocturnal/, /in the evening|at night/i],
  [/scratch|furniture|sofa/, /scratching post/i],
  [/road trips?|car rides?|in (?:the|a|my|our) car\b|drive a lot/, /in the car/i],
  [/lead|leash/, /on the lead/i],
  [/commands?|\bsits?\b|obey/, /sit and stay|trained/i],
  // Some wishes are answered by what a breed was bred for.
  [/swim|lake|water|beach/, /swim|water|retriever|newfoundland|poodle|spaniel/i],
  [/herd|sheep|cattle/, /herd|collie|shepherd|cattle|corgi/i],
  [/\bhunt|scent|track/, /hunt|beagle|pointer|setter|retriever|dachshund|hound/i],
  [/smart|clever|intelligent|agility|tricks?/, /clever|collie|shepherd|poodle|african grey|tricks/i],
];

const NEGATED = /\b(?:not|no|never|cannot|hardly)\b|n't\b/i;

/** The wishes of a text, as patterns of descriptions. The text is in lower case. */
export const wishesIn = (text: string): readonly RegExp[] => WISHES.flatMap(([said, described]) => (said.test(text) ? [described] : []));

/** Whether a description answers one of the wishes. A description with a negation answers none, because it may mean the opposite. */
export const answersWish = (description: string | undefined, wishes: readonly RegExp[]): boolean =>
  description !== undefined && !NEGATED.test(description) && wishes.some((wish) => wish.test(description.slice(0, 240)));
