import type { Species } from '../../domain/pets/pet.events.js';
import { gap } from '../reading/token.js';

/** What a message tells or asks beside its main matter, the species that must be named for it, and what the guide says to it. */
type Remark = { readonly told: RegExp; readonly of?: readonly Species[]; readonly text: string };

const remark = (told: string, text: string, ...of: readonly Species[]): Remark => ({
  told: new RegExp(` (?:${told})(?= )`),
  text,
  ...(of.length > 0 && { of }),
});

const NOT = "(?:not|no|never|don't|doesn't|do not|does not|won't|without|isn't|aren't)";

/** Each part of a message gets an answer, or is named as not known. Each remark that fits is made once. */
const REMARKS: readonly Remark[] = [
  remark(
    `(?:months? old|weeks? old|our|my|a|new|with|have) (?:newborn |new )?(?:baby|newborn|infant)(?! (?:dog|cat|rabbit|bird|bunny|budgie|parrot|hamster|guinea|snake|gecko|tortoise|ferret|animal|pet))|baby (?:on the way|is coming|due|arrives)|expecting a (?:baby|child)`,
    'Never leave a baby alone with a cat or a dog, keep the animal out of the cot, and get it used to the sounds and smells of the baby step by step. A calm adult animal fits better than a young one.',
    'CAT',
    'DOG',
  ),
  remark(
    `(?:kitten|puppy|young one|younger one|baby|young) ${gap(8)}or ${gap(5)}(?:older|old|adult|grown|mature|senior)|(?:older|old|adult|grown|mature|senior) ${gap(5)}or ${gap(5)}(?:kitten|puppy|young one|younger)`,
    'A calm adult animal is easier than a kitten or a puppy: its character is known, and it needs less training. Beside a grown or old animal of your own, a companion of about its age and energy usually fits better than a young one, which wants to play more than it does.',
    'CAT',
    'DOG',
  ),
  remark(
    'all in|in total|including everything|everything included|for everything|with everything',
    'The price of the animal is only a part: plan for its home, food and the vet too, and for a companion if its kind lives in pairs. I know no prices of equipment.',
  ),
  remark(
    `${NOT} ${gap(2)}(?:e?mail|emails|mail|letters?|call|phone|ring|text) (?:me|us|the|my|our|him|her|to|at|home|house)`,
    'I do not know which messages the store sends, and I cannot change that. Please tell the staff.',
  ),
  remark(
    'landlord|landlady|lease|tenancy|rental',
    'Ask the landlord in writing before you adopt: many leases allow small animals in enclosures, and some forbid these too.',
  ),
  remark(
    `(?:i|i'm|im|me|we|mum|mom|dad|mother|father|gran|grandma|grandpa|widow|widower|student|feel|feels|feeling) ${gap(4)}(?:lonely|on my own a lot)`,
    'For company, cats and dogs seek people most. Guinea pigs and budgies live in pairs or groups, and hamsters are rather to watch.',
  ),
  remark(
    `mousers?|ratters?|(?:barn|farm|working) cats?|(?:catch|catches|catching|hunt|hunts|hunting|kill|kills) (?:the |some )?(?:mice|rats|mouse|rodents)|(?:mice|mouse|rat|rats) (?:catcher|problem|hunter)`,
    'Many cats hunt mice, but nobody can promise it of one. A cat in a barn needs a dry, warm place, food and water every day, a vet and neutering, and two that know each other are company. Keep a new cat in for some weeks. Ask the staff which of them know life outdoors.',
    'CAT',
  ),
  remark(
    `(?:${NOT}|anything|something|nothing|dog|cat|breed|pet|that) ${gap(3)}(?:shed|sheds|shedding|moult|moults|moulting|molt|molts)(?: (?:much|a lot|hair))?|no shedding|non shedding|shed free`,
    'No dog, cat, rabbit or other animal with fur is free of shedding: of some you only see less hair, and brushing helps. Reptiles have no hair.',
    'DOG',
    'CAT',
    'RABBIT',
    'OTHER',
  ),
  remark(
    'appointments?|book (?:a|an|my|our) (?:visit|slot|time|viewing)',
    'I do not know whether you need an appointment. Please ask the staff.',
  ),
  remark(
    `(?:see|meet|visit|come|look at|hold|try|view) ${gap(8)}before ${gap(2)}(?:pay|paying|buy|buying|order|ordering|decide|deciding|commit|committing)`,
    'Whether you can meet a pet first, the staff say: ask them for a visit before you order, because an order that nobody pays lapses, by default after 24 hours.',
  ),
  remark(
    'refunds?|refunded|money back|reimbursed?|get my money',
    'I do not know the rules for a refund either: ask the staff before you pay.',
  ),
  remark(
    `(?:paid|payment|charged|money) ${gap(8)}(?:pending|placed|not approved|not confirmed|no confirmation|nothing happened|unpaid)`,
    'If you were charged and the order does not change, ask the staff, with the number of the order.',
  ),
  remark(
    `prices? ${gap(3)}(?:differ|vary|so different)|price differences?|why ${gap(6)}same breed`,
    'Age is often a part of it. Name two pets, and I show in what they differ.',
  ),
];

/** The patterns of what remarks answer. */
export const REMARK_PATTERNS: readonly RegExp[] = REMARKS.map(({ told }) => told);

/** What the guide says to what a text tells beside its main matter. `species` are the animals that the message is about. */
export const remarksOn = (text: string, species: readonly Species[]): readonly string[] =>
  REMARKS.flatMap((one) =>
    one.told.test(text) && (one.of === undefined || species.length === 0 || one.of.some((of) => species.includes(of))) ? [one.text] : [],
  );
