import type { Species } from '../../domain/pets/pet.events.js';

/** What an animal does, the species that the text is about, and what the guide says. */
type Behaviour = readonly [words: RegExp, species: readonly Species[], text: string];

/** A message about an animal that expects young ones. A pregnant person is answered by the guide's page on pregnancy. */
const PREGNANT =
  /^(?!.* (?:i'm|i am|i|we're|we are|wife|girlfriend|partner|daughter|sister|who is) (?:[^ ]+ ){0,2}(?:pregnant|expecting) ).* (?:pregnant|expecting|having (?:puppies|kittens|babies)) /;

/** A message about a move with an animal. Who cannot take it along asks for a new home for it. */
const MOVING =
  /^(?=.* (?:my|our) )(?!.* (?:can't|cannot|give up|rehome|new home for|take (?:him|her|it|them) in) ).* (?:moving|move) (?:house|home|flat|apartment|to (?:a|another|our|the|my)|into (?:a|our|the|my)|next|soon|in (?:a|two|three|[0-9])) /;

const ALL: readonly Species[] = ['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER'];

/** What owners ask about the behaviour of their animals. The first entry that fits counts. */
const BEHAVIOURS: readonly Behaviour[] = [
  [
    / (?:pup|puppy|puppies) (?:[^ .]+ ){0,8}(?:bites?|biting|nips?|nipping|mouthing|chews? on (?:me|us|my|our)) | (?:bites?|biting|nips?|nipping|mouthing) (?:[^ .]+ ){0,6}(?:pup|puppy|puppies) /,
    ['DOG'],
    'Puppies bite in play, and more while they get teeth, at about three to six months: that is normal and passes. Stop the game at once when teeth touch you, stay still, and offer a toy to bite instead. Reward gentle play, keep games short, and let it sleep enough: a tired puppy bites more. Never punish it or hold its mouth shut. If it growls stiffly or bites hard out of fear, ask a qualified trainer.',
  ],
  [
    / kittens? (?:[^ .]+ ){0,8}(?:bites?|biting|nips?|nipping|attacks?|attacking|scratches|scratching) (?!post)/,
    ['CAT'],
    'Kittens bite and scratch in play: that is normal and gets less with age. Never play with your hands: use a toy on a string, stop the game at once when it bites, and play with it several times a day. A second kitten takes much of the biting. Never punish it.',
  ],
  [
    / (?:jumps?|jumping) (?:up )?(?:on|at) (?:people|visitors|guests|me|us|everyone|everybody|strangers|my|the) (?!table|counter|bed|sofa|couch)/,
    ['DOG'],
    'A dog that jumps up wants a greeting. Turn away without a word until all four feet are on the ground, then greet it calmly and reward that, and let everybody at home and each visitor do the same. Ask it to sit before the door opens.',
  ],
  [
    / (?:whines?|whining|cries|crying|howls?|howling) (?:[^ .]+ ){0,4}(?:at night|all night|in (?:the|his|her|its) crate|every night|when i leave|when we leave) /,
    ['DOG'],
    'A young or new dog cries at night because it is alone: let it sleep beside your bed at first, and move its bed away step by step. Take it out late in the evening. For the day, practise being alone from a few seconds on. If it goes on for weeks, ask a vet or a qualified trainer.',
  ],
  [
    / (?:likes?|loves?|trusts?) (?:me|us|you) /,
    ['CAT'],
    'A cat that likes you comes to you, rubs its head against you, blinks slowly, kneads, sleeps near you or shows its belly. Some cats simply stay in the same room: that counts too.',
  ],
  [
    / (?:likes?|loves?|trusts?) (?:me|us|you) /,
    ALL,
    'An animal that trusts you comes near without being called, eats from your hand, rests beside you and is not startled when you move. Give it time, and let it decide.',
  ],
  [
    PREGNANT,
    ['DOG'],
    'Dogs carry their puppies for about 63 days. See a vet now for a check and the right food, and prepare a quiet, warm box.',
  ],
  [
    PREGNANT,
    ['CAT'],
    'Cats carry their kittens for about 63 to 65 days. See a vet for a check, give kitten food, and prepare a quiet, warm box.',
  ],
  [
    PREGNANT,
    ['RABBIT', 'OTHER'],
    'Rabbits carry their young for about 31 days, guinea pigs about 68, hamsters about 16. Keep her away from males, offer a quiet place to nest, and ask a vet.',
  ],
  [
    / (?:fights?|fighting|fought|attack each other) /,
    ['OTHER'],
    'Separate them at once, for good if they are hamsters: grown hamsters live alone and can kill each other. With guinea pigs, rats or ferrets give more room, a hiding place for each, and ask a vet about neutering and wounds.',
  ],
  [
    / (?:fights?|fighting|fought|attack each other) /,
    ALL,
    'Separate them before somebody is hurt, and never reach between them with your hands. Let a vet rule out pain, then introduce them again slowly, with a place of their own for each. If it goes on, ask a qualified trainer.',
  ],
  [
    MOVING,
    ['CAT'],
    'On the day of the move keep the cat in one closed room with its litter box and a carrier, and move this room last. In the new home it begins again in one quiet room with its old bed and box. Keep it indoors for several weeks, and change the address at the register of its chip.',
  ],
  [
    MOVING,
    ALL,
    'On the day of the move bring the animal to somebody whom it knows, or keep it in one quiet room. Take its bed and food along unwashed and unchanged, keep the usual times in the new home, and change the address on its tag and at the register of its chip.',
  ],
  [
    / (?:in|on|into) (?:my|our|the) bed /,
    ['DOG', 'CAT'],
    'That is fine if it is healthy and free of fleas and worms, you both sleep well, and it leaves the bed when you ask. People with allergies and small children are better off without it. Decide on one rule from the start.',
  ],
  [
    / (?:best|right|what|good) age (?:to|for) /,
    ['DOG', 'CAT'],
    'A puppy or a kitten stays with its mother for at least eight weeks, better ten to twelve for a kitten. An adult animal suits many people better: its character is known, and it needs less training.',
  ],
  [
    / (?:away|alone|gone|out|working|work) (?:for )?(?:about )?(?:[0-9]+|six|eight|nine|ten|twelve) (?:hours|hrs|h) /,
    ['DOG'],
    'A dog should not be alone for more than about four hours at a time. Ask a neighbour, a dog walker, a sitter or a day care to come in between, talk to your employer about an office dog, and practise longer times in small steps.',
  ],
  [
    / thump[a-z]* /,
    ['RABBIT'],
    'A rabbit that thumps warns of something: a noise, a smell or a stranger. Look what could have frightened it, talk calmly, and give it a place to hide. If it thumps without end or seems ill, ask a vet.',
  ],
  [
    / (?:farts?|farting|gassy|flatulen[a-z]+|passes gas) /,
    ['DOG', 'CAT'],
    'Some gas is normal. Much of it often comes from the food, from a change of food or from eating too fast: change food slowly, leave out milk and scraps, and try smaller meals. If there is diarrhoea, pain or weight loss too, see a vet.',
  ],
  [
    / (?:farts?|farting|gassy|bloated) /,
    ['RABBIT', 'OTHER'],
    'Gas is dangerous for rabbits and guinea pigs. A swollen belly or an animal that does not eat needs a vet today.',
  ],
  [
    / (?:(?:too |so |very |really |getting |got |a bit |is )(?:fat|chubby|chunky|overweight|obese)|overweight|lose weight|needs? (?:a )?diet) /,
    ALL,
    'Let a vet weigh it and rule out an illness. Then weigh the food, leave out treats and scraps, and add play or exercise step by step. Never let it starve: a cat that eats nothing for a day or two gets ill.',
  ],
  [
    / (?:eats?|eating) (?:[^ ]+ ){0,2}(?:poop|poo|feces|faeces|droppings|shit) /,
    ['RABBIT', 'OTHER'],
    'That is normal: rabbits, guinea pigs and other small animals eat soft droppings and need them for their digestion.',
  ],
  [
    / (?:eats?|eating) (?:[^ ]+ ){0,2}(?:poop|poo|feces|faeces|droppings|shit) /,
    ['DOG', 'CAT'],
    'Many dogs do that, from habit, boredom or hunger. Clean up at once, teach "leave it" with a reward, and let a vet check for worms and the food.',
  ],
  [
    / (?:eats?|eating) (?:[^ ]+ ){0,2}grass /,
    ['DOG', 'CAT'],
    'Dogs and cats often eat some grass, and that is usually harmless on meadows without sprays. If it vomits again and again or eats grass greedily, see a vet. Offer an indoor cat cat grass.',
  ],
  [
    / (?:purrs?|purring) /,
    ['CAT'],
    'Most cats purr when they are content, but some also purr when they are in pain or afraid. If it hides or does not eat, see a vet.',
  ],
  [
    / (?:kneads?|kneading|making biscuits|makes biscuits) /,
    ['CAT'],
    'Kneading comes from the time as a kitten and mostly shows that a cat feels at ease. Put a blanket between its claws and you.',
  ],
  [
    / (?:wakes? (?:me|us|everyone)|waking (?:me|us)) /,
    ['CAT'],
    'Cats are awake at dusk and dawn. Play with it in the evening, feed it after that, and do not get up when it calls. If an older cat changes its habits, ask a vet.',
  ],
  [
    / (?:zoomies|runs? (?:around )?like crazy|goes crazy|sprints? through) /,
    ['DOG', 'CAT', 'RABBIT'],
    'Short wild runs are normal: energy has to go somewhere. Give it more play and exercise during the day, and clear the way.',
  ],
  [
    / (?:popcorn[a-z]*|binky|binkies|jumps? in the air|jumping in the air) /,
    ['RABBIT', 'OTHER'],
    'Jumps in the air with a twist are a sign of joy in rabbits and guinea pigs.',
  ],
  [
    / (?:wheek[a-z]*|squeal[a-z]*|whistl[a-z]*) /,
    ['OTHER'],
    'Guinea pigs squeal when they expect food or miss their companions. If one squeals when it moves or is touched, it may be in pain: call a vet.',
  ],
  [
    / (?:chews?|chewing|bites?|biting|gnaws?|gnawing) (?:[^ ]+ ){0,3}(?:bars|cage|wire) /,
    ['OTHER', 'RABBIT'],
    'Gnawing at bars is mostly boredom or too little room: give it a larger enclosure, deeper bedding, hiding places and things to chew, and let a rabbit run free each day.',
  ],
  [
    / (?:chews?|chewing|destroys?|destroying|eats?|eating|ate) (?:[^ ]+ ){0,3}(?:shoes?|furniture|sofa|couch|slippers|everything|carpet|door|toys) /,
    ['DOG'],
    'Puppies chew while they get teeth, older dogs from boredom or because they are alone. Put away what it must not have, offer things to chew, give it more exercise and tasks, and practise being alone in small steps.',
  ],
  [
    / (?:humps?|humping|mounts?|mounting) /,
    ALL,
    'Mounting can be play, stress or sexual. Interrupt it calmly, offer something else to do, and ask a vet about neutering.',
  ],
  [
    / (?:tail) (?:[^ ]+ ){0,3}(?:chas[a-z]*|wag[a-z]*) | (?:chas[a-z]*|wag[a-z]*) (?:[^ ]+ ){0,3}tail /,
    ['DOG', 'CAT'],
    'Now and then that is play. If it does so often and cannot be called off, or bites its tail, ask a vet, and give it more to do.',
  ],
  [
    / (?:brings?|bringing|brought|catches|kills) (?:[^ ]+ ){0,3}(?:mice|mouse|birds?|dead) /,
    ['CAT'],
    'That is its nature: cats hunt even when they are full. Keep it in at dawn and dusk, play hunting games with it, and let a vet treat it against worms.',
  ],
  [
    / (?:hairballs?|fur balls?|furballs?) /,
    ['CAT'],
    'A hairball now and then is normal. Brush it often, above all long hair, and offer cat grass. If it retches without result, does not eat or is constipated, see a vet.',
  ],
  [
    / (?:licks?|licking) (?:[^ ]+ ){0,3}(?:paws?|feet|itself|himself|herself|constantly) /,
    ['DOG', 'CAT'],
    'Much licking of the paws can come from an allergy, a wound, mites or boredom. Look between the toes, and let a vet see it if it goes on.',
  ],
  [
    / (?:snor[a-z]*) /,
    ['DOG', 'CAT'],
    'Some snoring is normal, above all in breeds with a short nose and in heavy animals. If it is new, or the animal breathes hard when it is awake, see a vet.',
  ],
  [
    / (?:doesn't|won't|not|stopped|never) (?:[^ ]+ ){0,2}sing(?:ing)? /,
    ['BIRD'],
    'Canaries sing less while they moult, when they are females, in a new home or when they are ill. Let it settle in, keep it in daylight, and ask a vet if it sits puffed up.',
  ],
  [
    / (?:counter|counters|table|tables|worktop) /,
    ['CAT', 'DOG'],
    'Leave no food there, offer a better high place beside it, and reward the animal when it uses that one. Do not punish it.',
  ],
  [
    / (?:tail) (?:[^ ]+ ){0,3}(?:fell off|dropped|lost|off) | (?:dropped|lost) (?:[^ ]+ ){0,2}tail /,
    ['REPTILE'],
    'Geckos drop their tail when they are frightened or gripped, and it grows again. Keep it alone and clean, on kitchen paper, without gripping it, and ask a vet if the stump bleeds or swells.',
  ],
  [
    / (?:shed|sheds|shedding|skin coming off|peel[a-z]*) /,
    ['REPTILE'],
    'Reptiles shed their skin every few weeks. Offer a damp hiding place, do not pull, and look at toes and tail tip: old skin there must be removed by a vet.',
  ],
  [
    / (?:stairs|stiff|climb|jump (?:up|on|into)|get up|old age|arthritis) /,
    ['DOG', 'CAT'],
    'Let a vet look at it: pain in the joints is frequent in older animals and can be treated. A ramp, rugs on smooth floors, a soft bed and several short walks help, and carry it where you can.',
  ],
  [
    / (?:hiccups?) /,
    ALL,
    'Hiccups in young animals are mostly harmless and pass. Feed smaller portions more slowly, and ask a vet if they last for hours.',
  ],
  [
    / (?:ignores? me|hates? me|doesn't like me|does not like me|won't come to me|runs? away from me|scared of me|afraid of me) /,
    ALL,
    'It needs time. Sit near it, do not reach for it, talk softly, and let it come to you for food. Some animals need weeks, and a few stay shy.',
  ],
  [
    / (?:barks?|barking) (?:[^ ]+ ){0,3}(?:at (?:the )?(?:door|doorbell|postman|mailman|visitors)) /,
    ['DOG'],
    'Teach it another task for the bell, such as going to its bed for a reward, and practise with a friend who rings. Do not shout: to the dog that is barking with it.',
  ],
];

/** What the guide says about a behaviour that a text describes, for an animal of a species. Null if it says nothing. */
export const behaviourText = (text: string, species: Species): string | null =>
  BEHAVIOURS.find(([words, of]) => of.includes(species) && words.test(text))?.[2] ?? null;

/** Questions about words and matters of the catalogue, and their answers. */
const TERMS: readonly (readonly [asked: RegExp, text: string])[] = [
  [
    / (?:neighbou?rs?|next door|upstairs) (?:[^ ]+ ){0,4}(?:dogs?|puppy) (?:[^ ]+ ){0,3}(?:barks?|barking|howls?|howling) /,
    'Talk to the neighbours first, calmly: many do not know that their dog barks while they are out. Write down when it barks. If nothing changes, ask the landlord or the town, and if the dog seems neglected, the animal welfare office.',
  ],
  [/ slimy /, 'Reptiles are not slimy: their skin is dry, and scaly or smooth. Frogs and fish are slimy, and the catalogue has none.'],
  [
    / (?:what|which) (?:does|do|is|are|kind of|sort of)? ?(?:it |the )?special needs? (?:mean|mean for|means|is|are) | what (?:is|are) special needs | mean(?:s)? (?:by )?special needs /,
    'Special needs means that the pet needs more care than others, for example medicine or regular visits to a vet. The health notes of the pet say what it is, if the staff wrote them.',
  ],
  [
    / what (?:does|is) (?:spayed|neutered|spayed or neutered|fixed|microchipped|chipped|vaccinated)(?: mean)? /,
    'Spayed or neutered means that the animal can have no young ones. Microchipped means that a chip under its skin carries a number, by which it is found again. Vaccinated means that it has had its usual shots.',
  ],
  [
    / what (?:does|is) (?:pending|reserved|available)(?: mean)? /,
    'Available means that you can apply for the pet. Pending means that an application or an order holds it at the moment.',
  ],
];

/** Explains a word of the catalogue that a text asks for. Null if it asks for none. */
export const termText = (text: string): string | null => TERMS.find(([asked]) => asked.test(text))?.[1] ?? null;
