import type { Aspect } from '../kinds/aspects.js';
import { gap } from '../reading/token.js';

const COUNT = '(?:[4-9]|1[0-9]|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many|long)';
const NOT = "(?:not|no|nothing|don't|doesn't|isn't|aren't|won't|never|without|hates?|can't stand|hardly|less|too)";

/** Patterns of words for each aspect. A space comes before and after the text of a sentence, and between its words. */
const WORDS: Readonly<Record<Aspect, readonly string[]>> = {
  away: [
    '(?:work|works|working|office|job|school|uni|college) (?:from )?[0-9]+ ?(?:am |pm )?(?:to|till|til|until|-) [0-9]+',
    `(?:work|works|working|worked|job|jobs|employed) ${gap(3)}(?:full time|fulltime|full days|all day|long hours|whole day|till|until|late|9 to 5|nine to five|8 to|9 to|in an office|in the office|at the office|shifts|from 8|from 9|a lot|long)`,
    `(?:full time|fulltime) (?:job|jobs|work|worker|workers)|both (?:work|working|have jobs|full time)|work full time|i work a lot`,
    `(?:away|out|gone|alone|at work|at school|school|not home|not at home|not there|by (?:it|him|her|them)sel(?:f|ves)|on its own|on his own|on her own|without me|without us|working|work) ${gap(4)}(?:${COUNT} ?(?:-|to)? ?(?:[0-9]+ )?(?:hours|hour|hrs|h)|all day|the whole day|most of the day|during the day|all the time|a whole day|the day)`,
    `${COUNT} ?(?:hours|hrs|h) ${gap(2)}(?:alone|a day|per day|each day|every day|at work|away|work)|(?:home|left|leave|stay|stays|be|being) ${gap(2)}alone|home alone|alone (?:while|during|at home|a lot|for|all)`,
    "(?:nobody|no one|noone|nobody's) (?:is )?(?:at )?home|not home much|never home|rarely home|hardly home|hardly ever home|busy (?:job|life|schedule|person|people|lifestyle)|demanding job|long shifts|commute",
  ],
  flat: [
    'flat|flats|apartment|apartments|houseboat|caravan|rv|campervan|camper|camper van|motorhome|trailer|mobile home|on a boat|(?:live|living|lives) in (?:the|a) (?:[^ .!?;]+ ){0,1}city|city life|downtown|appartment|apartement|appartement|studio|bedsit|dorm|dorm room|one room|1 room|one bedroom|1 bedroom|two rooms|tiny room|small room|small place|small home|small house|tiny house|little space|not much space|no garden|no yard|without a garden|condo|high rise|highrise|city centre|m2|sqm|square met(?:er|re)s',
  ],
  stairs: [
    'no lift|no elevator|without lift|without a lift|without elevator|stairs|staircase|walk up|walkup|(?:2nd|3rd|4th|5th|6th|second|third|fourth|fifth|sixth|top) floor',
  ],
  heat: [
    'texas|florida|arizona|nevada|spain|dubai|india|egypt|[34][0-9] degrees|hot (?:climate|country|weather|summer|summers|place|area|region|city|house|flat|here)|(?:very|so|really|too|gets|is) (?:very |so |really )?hot|heat|heatwave|heatwaves|heat wave|tropical|desert|no air conditioning|no ac|warm climate',
  ],
  cold: [
    'alaska|norway|finland|siberia|canada|cold (?:climate|country|weather|winter|winters|place|area|region|house|flat|here)|(?:very|so|really|too|gets) cold|lots of snow|snowy|freezing|unheated|no heating|winter outside',
  ],
  toddler: [
    'toddler|toddlers|infant|infants|newborn|new born|crawling|(?:my|our|the|a|new|with) baby (?!dog|cat|rabbit|bird|bunny|budgie|parrot|hamster|guinea|snake|gecko|tortoise|ferret|animal|pet)|babies (?:at|in)|baby (?:on the way|is coming|due|arrives|boy|girl|brother|sister)|expecting|small (?:child|children|kid|kids)|little (?:child|children|kids|ones)|very young (?:child|children|kids)',
  ],
  child: [
    '(?:for|with|around|suits?|easiest|better|best|safe|good) (?:[^ .!?;]+ ){0,3}(?:child|children|kid|kids|son|daughter|boy|girl|grandson|granddaughter|grandchild|grandchildren|grandkids|schoolkid|pupil|nephew|niece|teenager)|classroom|grade (?:class|kids|students|children|pupils)|graders?|(?:in|for|with) (?:our|my|a|the) (?:[^ .!?;]+ ){0,2}(?:class|school|kindergarten|daycare|preschool|nursery)|my (?:son|daughter|kid|kids|children|child|grandson|granddaughter|little girl|little boy|girl|boy|nephew|niece) (?:wants?|would|really|loves|asks|is asking|keeps|so)|my (?:mom|mum|dad|parents|mommy|mama|mother|father) (?:says?|said|allows?|allowed|lets?|let|tells?|will|might|only)',
  ],
  senior: [
    'elderly|old (?:lady|man|people|person|folks|woman|age)|older (?:lady|man|people|person|woman)|senior citizens?|pensioners?|retired|retirement|walking stick|with a cane|my cane|walker|wheelchair|arthritis|bad (?:knees|back|hip|hips|legs)|care home|nursing home|old age home|frail|(?:my|our|for) (?:[^ .!?;]+ ){0,1}(?:grandma|grandmother|granny|gran|nan|nana|grandpa|grandad|granddad|grandfather|great aunt|grandparents)|not so (?:young|mobile|strong)|run after it|bend down',
  ],
  // What the customer has at home is read from statements.
  cats: [],
  dogs: [],
  small: [],
  costs: [
    '(?:cost|costs|costing|money|expensive|cheap|cheaper|cheapest|pay|spend|bill|bills|budget) (?:[^ .!?;]+ ){0,4}(?:to keep|to own|to feed|to maintain|to have|upkeep|a month|per month|each month|monthly|a year|per year|yearly|a week|per week|in the long run|to run|overall|in total)|(?:a month|per month|monthly|upkeep|running) (?:[^ .!?;]+ ){0,3}(?:cost|costs|money|cheaper|expensive)|running costs|cheapest to (?:keep|own|feed|have|maintain|look after|run)|vet bills|cheap(?:er|est)? (?:pet|animal|one)? ?(?:to keep|to feed|to own|to have|to look after)|costs? (?:more|less|the most|the least)|(?:less|more) expensive to',
  ],
  night: [
    'nocturnal|night ?owl|night ?shifts?|work nights|working nights|late shifts?|(?:active|awake|up|alive|lively|plays?|stays up|comes out) (?:[^ .!?;]+ ){0,2}(?:night|evening|evenings|nights|late)|(?:i|we) sleep (?:all day|during the day|by day)|in the evenings? when|time (?:only )?(?:in the |at )?(?:evenings?|night)|only (?:[^ .!?;]+ ){0,3}evenings?|after work|home (?:only )?(?:in the|at) (?:evening|evenings|night)',
  ],
  day: [
    '(?:active|awake|up|lively) (?:[^ .!?;]+ ){0,2}(?:day|daytime|mornings?)|sleeps? (?:[^ .!?;]+ ){0,2}(?:at night|through the night)|diurnal|not nocturnal|not (?:active|awake|up) at night|(?:keep|wake) (?:me|us) (?:up|awake)',
  ],
  plants: [
    'vegan|vegetarian|herbivore|herbivores|plant ?eaters?|eats? (?:[^ .!?;]+ ){0,2}(?:plants|plant|vegetables|veggies|veg|grass|greens|salad|leaves|fruit)|(?:plant|veg) based|no meat|without meat|eats? no meat',
  ],
  nolive: [
    `${NOT} (?:[^ .!?;]+ ){0,5}(?:live food|insects|bugs|crickets|worms|mealworms|locusts|live animals|live prey|feeder mice|frozen mice|grasshoppers)|live food|live insects|feeding insects|feed (?:it )?(?:insects|bugs|crickets|live)`,
  ],
  quiet: [
    'quiet|quieter|quietest|silent|noise|noises|noisy|noisier|loud|louder|bark|barks|barking|barker|barky|yappy|yap|yaps|howl|howls|screech|screeches|screeching|scream|screams|screaming|sensitive (?:hearing|ears)|(?:hearing|ears) (?:[^ .!?;]+ ){0,3}sensitive|thin walls|neighbou?rs? (?:complain|complains|complained|hear|are)|meows?|meowing|chirps?|chirping|squeaks?|squeaky|racket',
  ],
  odour: ['smell|smells|smelly|smellier|smelling|stink|stinks|stinky|stinking|odou?rs?|odou?rless|stench|stinkier|smelliest|smell bad'],
  easy: [
    'beginner|beginners|first pet|first time (?:owner|owners|pet|keeper|buyer)|first timer|never had (?:a |any |an )?(?:pet|pets|animal|animals)|never owned|no experience|no (?:pet )?experience|inexperienced|newbie|starter pet|easy|easier|easiest|simple to|hard to kill|(?:hard|difficult) to (?:keep|care|look|handle|have|own|raise)|difficult|hardest|harder|first animal',
  ],
  effort: [
    "(?:regarding|terms of|difference in|amount of|how much) (?:the )?(?:work|effort|care|time)|(?:hates?|don't like|dislikes?|too lazy for|no) (?:to )?clean(?:ing)?|(?:person|someone|somebody|people|i'm|am|who is|husband|wife|mother|father) (?:[^ .!?;]+ ){0,4}(?:disabled|one arm|one hand|handicapped|in a wheelchair|chronic pain)|(?:half an|an|1|2|3|one|two|three) hours? (?:a|per|each|every) day (?:for|to spend|of time|time)|lazy|low maintenance|low effort|less work|little work|(?:not|isn't|without|no) (?:too )?(?:much|a lot of|lots of) (?:work|attention|time|effort|care)|(?:don't|doesn't|do not|not) (?:need|want|require|take|have) (?:[^ .!?;]+ ){0,2}(?:attention|care|time|work)|least (?:work|care|effort|time|attention)|less effort|more work|much work|easy to (?:look after|care for|keep)|easy care|(?:little|no|not much) time|very busy|busy (?:job|life|person|people|lifestyle|schedule)",
  ],
  cuddly: [
    'cuddle|cuddles|cuddly|cuddling|cuddlier|snuggle|snuggles|snuggly|hug|hugs|hugging|pet it|stroke|stroked|petted|held|hold it|holding|lap|affectionate|recogni[sz]es?|happy (?:to see|when i)|greets? me|bonds?|attached to|follows? me|depression|depressed|(?:my|against|of her|of his|her|his) loneliness|so lonely|am lonely|feel lonely|anxiety|autism|autistic|therapy|emotional support|comfort me|lovey|pick it up|pick up|picked up|touch it',
  ],
  walks: [
    '(?:(?<!long |the )run|runs|runner|runners|running|jog|jogs|jogging|jogger|joggers|[0-9]+ ?k(?:m|ms)? (?:a|every|each|per)|active (?:person|people|family|couple|lifestyle)|hike|hiker|hikers|hikes|hiking|cycling|marathon|10k|long walks?|trail|trails|mountains?|agility|dog sports?|frisbee|sporty|athletic)',
  ],
  nowalks: [`${NOT} (?:[^ .!?;]+ ){0,4}(?:walks|walk|walked|walking|walkies)|can't (?:[^ .!?;]+ ){0,2}(?:walk|go out) (?:[^ .!?;]+ ){0,3}`],
  travel: [
    'travel|travels|travelling|traveling|holidays?|vacations?|business trips?|weekends? away|away (?:[^ .!?;]+ ){0,2}weekends?|fly a lot|often abroad|away for (?:a )?weeks?',
  ],
  cage: [
    '(?:live|lives|keep|kept|stay|stays|pet|pets|animal|animals|something|anything|small|tiny) (?:[^ .!?;]+ ){0,1}(?:in|inside) (?:a|an|its|the|one) (?:[^ .!?;]+ ){0,1}(?:cage|tank|terrarium|enclosure)|(?:small|tiny|one) cage|caged|cages? (?:pets?|animals?)|pets? (?:in|with) cages?|(?:tank|terrarium) (?:pets?|animals?)|(?:only|just) (?:[^ .!?;]+ ){0,3}cages?',
  ],
  talks: [
    '(?:can|that|to|learns?|will|which|birds?|parrots?|it|they|does|do|who) (?:[^ .!?;]+ ){0,1}(?:talk|speak)(?! (?:to|him|her|them|me|you|about|with))|talks|speaks|talking|swears?|swearing|curses?|cusses?|say words|says words|mimic|mimics|imitates?|repeat words|learn words',
  ],
  tricks: ['tricks?|smart|smartest|smarter|clever|cleverest|intelligent|intelligence|teach it|train it|trainable|learns?'],
  pair: [
    'pair of|a pair|(?:one|1) (?:[^ .!?;]+ ){0,2}or (?:two|2)|(?:two|2) (?:[^ .!?;]+ ){0,2}or (?:just |only )?(?:one|1)|(?:boy|male) and (?:a )?(?:girl|female)|(?:girl|female) and (?:a )?(?:boy|male)|are two enough|(?:die|dies|suffer|suffers) (?:of|from) (?:loneliness|being alone)|(?:get|gets|be|feel|feels) lonely|is one enough|a couple of (?:[^ .!?;]+ )?that|bonded|(?:two|2|both) (?:[^ .!?;]+ ){0,4}(?:together|each other|get along|share|same cage|bonded)|get (?:two|2)|take two|brothers|siblings|keep each other company',
  ],
  single: [
    'singly|kept alone|one alone|solo|solitary|live by it(?:self)|keep (?:just |only )?one|only (?:keep|have|get) one|one on its own',
  ],
  grooming: ['(?:grooming|brushing|groom|brush|coat care|trimming|clipping|haircuts?|hairdresser)'],
  coat: [
    'shed|sheds|shedding|moult|moults|moulting|molt|sheds less|hair everywhere|hairs everywhere|fur everywhere|hair on (?:[^ .!?;]+ ){0,2}(?:sofa|couch|clothes|carpet)|hypoallergenic|lose hair|loses hair|no hair|hairless',
  ],
  outdoors: [
    '(?:live|keep|kept|lives|living|stay|stays|sleep|sleeps) (?:[^ .!?;]+ ){0,2}(?:outside|outdoors|(?:in|on) (?:a|the|our|my) (?:[^ .!?;]+ )?(?:garden|yard|balcony|shed|garage|barn))|(?:go|be|let|roam|walk) (?:[^ .!?;]+ ){0,2}(?:outside|outdoors)|outdoor (?:pet|animal|hutch|cat)|needs? (?:a |an |some )?(?:big |large |own )?(?:garden|yard|outdoor space)|farm',
  ],
  tidy: [
    'chew|chews|chewing|destroy|destroys|destructive|scratch|scratches|scratching|ruin|ruins|furniture|tidy|clean (?:pet|animal|house|freak)|gnaw|gnaws|mess|messy|messier|messiest|cables',
  ],
  unusual: [
    '(?:something|anything|a|an|any|some|more|most|really|bit|really|little|pretty|so) (?:[^ .!?;]+ ){0,2}(?:weird|unusual|exotic|strange|odd|rare|uncommon|crazy|cool|quirky|out of the ordinary|extraordinary|special)(?! needs)|(?:weird|weirdest|unusual|exotic|exotics|strange|strangest|rare|rarest|uncommon|craziest|quirky|coolest)(?! (?:needs|noise|noises|sound|sounds|behaviour|smell)) (?:pets?|animals?|one|ones|thing|creatures?|species)|not (?:the usual|a normal|an ordinary|something normal)|(?:not|isn.t|aren.t|less|never) boring|nobody else has|no one else has|different from everyone',
  ],
  guards: ['guard|guards|guarding|guard dogs?|watch ?dogs?|protect|protects|protection|protective|security|burglars?|intruders?|thieves'],
  shortLife: [
    '(?:live|lives|living) (?:only |just |about |around |max |maximum |up to |at most |no longer than |no more than |not more than |less than |under |for )+(?:[1-7]|one|two|three|four|five|six|seven)(?: or [1-9])? years?',
    "(?:shorter|short) (?:living|lived|life|lifespan|lives)|(?:not|don't|doesn't|won't|isn't) (?:[^ .!?;]+ ){0,3}(?:live|living|lives|around) (?:[^ .!?;]+ ){0,2}(?:long|forever|decades|years)|live shorter|lives shorter|shortest (?:life|living|lifespan|lived)|outlive me|not a (?:lifelong|long) (?:commitment|term)|too long to live|dies? sooner|short commitment",
  ],
  longLife: [
    '(?:longer|long|longest) (?:living|lived|life|lifespan)|lives? (?:[^ .!?;]+ ){0,1}(?:long|longer|longest)|older age|grow old with|live a long time|many years',
  ],
};

/** Each aspect with its pattern. */
export const ASPECT_PATTERNS: readonly (readonly [aspect: Aspect, pattern: RegExp])[] = (Object.keys(WORDS) as Aspect[])
  .filter((aspect) => WORDS[aspect].length > 0)
  .map((aspect) => [aspect, new RegExp(` (?:${WORDS[aspect].join('|')})(?= )`)] as const);

/** Aspects of which the later one replaces the earlier one. */
export const OPPOSITES: Readonly<Partial<Record<Aspect, Aspect>>> = {
  night: 'day',
  day: 'night',
  walks: 'nowalks',
  nowalks: 'walks',
  pair: 'single',
  single: 'pair',
  shortLife: 'longLife',
  longLife: 'shortLife',
};
