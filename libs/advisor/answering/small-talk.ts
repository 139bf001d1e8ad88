import { spacedWords } from '../reading/token.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { factsIn, purposesIn } from '../dialogue/purposes.js';
import { topicsIn } from '../reading/topics-in.js';
import { PET_WORDS } from '../words/animals.js';
import { NO_PREFERENCES } from '../preferences/preferences.js';
import { nextQuestion } from '../wording/ask.js';
import { criteriaText, joined } from '../wording/criteria.js';
import { nameText } from '../wording/pet-facts.js';
import type { Style } from '../wording/part.js';
import { asksForIdeas } from './search-answer.js';

const CAPABILITIES =
  'I am the automatic advisor of this store. I find available pets that meet your criteria, say why they fit, compare pets, and answer questions about care from a short guide.';
const SCOPE = 'I can find pets of this store, say what the catalogue tells about them, and answer questions about their care.';
export const NOT_SHOWN =
  'I have not shown you any pets yet, so I do not know which one you mean. Tell me its name, or what you are looking for.';

/** Subjects that customers chat about and that have nothing to do with pets. */
const OTHER_SUBJECTS: readonly (readonly [words: RegExp, subject: string])[] = [
  [/ (?:rain|raining|weather|snow|forecast|sunny|umbrella) /, 'the weather'],
  [/ (?:president|election|politics|politician|war|news|government|prime minister) /, 'politics and news'],
  [/ (?:football|soccer|world cup|super bowl|basketball|score|bundesliga|premier league|olympics) /, 'sport'],
  [/ (?:recipe|bake|cook|pizza|pasta|dinner|lunch|restaurant) /, 'cooking'],
  [/ (?:bitcoin|stocks?|lottery|crypto|invest) /, 'money matters'],
  [/ (?:square root|calculate|plus|minus|times table|equation|maths?) /, 'sums'],
  [/ (?:movie|film|song|sing|music|netflix|book|celebrity|actor) /, 'films and music'],
  [/ (?:poem|essay|homework|story|code|python|javascript|translate|write me|email for me) /, 'writing texts'],
  [/ (?:what time is it|what day|what date|which day|what year) /, 'the time'],
  [/ (?:horoscope|star sign|zodiac|future|fortune|god|religion|meaning of life) /, 'such big questions'],
  [/ (?:capital of|tallest|how far|distance|population|country) /, 'geography'],
  [/ (?:my (?:boss|job|ex|girlfriend|boyfriend|wife|husband|mother|mom|teacher)|relationship|divorce|headache) /, 'that side of life'],
];

/** `end`: no question follows the answer. */
type Chat = readonly [said: RegExp, answers: readonly [string, ...string[]], end?: 'end'];

/** What people say without asking for a pet, and what the advisor answers. */
const CHATS: readonly Chat[] = [
  [
    / (?:joke|make me laugh|something funny) /,
    [
      'Why did the cat sit on the computer? To keep an eye on the mouse. I am better with pets than with jokes.',
      'What do you call a dog magician? A labracadabrador. I am better with pets than with jokes.',
    ],
  ],
  [
    / (?:how are (?:you|u|ya)|how is it going|how it going|how do you do|what is up|what up|sup|wassup|how have you been|you ok|are you ok|hows it going|whats up) /,
    ['I am a program, so I am always fine, thank you.', 'Thank you for asking: a program has no bad days.'],
  ],
  [
    / (?:i love you|love you|marry me|date me|kiss|you are cute|you are hot|sexy) /,
    ['That is kind, but I am only a program. Some of our pets would enjoy the attention.'],
  ],
  [
    / (?:pets?|animals?|dogs?|cats?|they|these|those|all|them) (?:[^ ]+ ){0,3}(?:ugly|hideous|gross|disgusting|suck|boring|lame|crap|trash) | (?:ugly|hideous) (?:pets?|animals?|dogs?|cats?) /,
    ['Looks are a matter of taste, and somebody else finds the same animal lovely. Tell me what you like, and I look again.'],
  ],
  [
    / (?:stole|liar|lying|scam|fraud|ripoff|rip off|thieves|criminals) /,
    ['I am sorry that you feel that way. I state only what the catalogue says. For a complaint please ask the staff.'],
  ],
  [
    / (?:just (?:looking|browsing|chatting|asking|wanted to (?:say|chat|talk))|only looking|looking around|nothing really|nothing much|no reason|killing time|bored|boring) /,
    ['Look around as long as you like. If you want an idea, tell me whether it should be something to cuddle, to walk with or to watch.'],
    'end',
  ],
  [
    / (?:sad|lonely|depressed|crying|bad day|hard day|rough day|awful day|stressed|tired|exhausted|heartbroken|feeling down) /,
    ['I am sorry that it is a hard time. Take it slowly. If company of an animal may help, I look with you.'],
  ],
  [
    / (?:good night|goodnight|gn|see ya|cya|ttyl|talk later|later|gotta go|got to go|have to go|have a good|have a nice) /,
    ['Goodbye, and come back any time.'],
    'end',
  ],
  [/ (?:sorry|apologies|my bad|just kidding|kidding|only joking|jk) /, ['No harm done.']],
  [
    / (?:what do you like|your favou?rite|do you have (?:a )?pets?|do you like) /,
    ['I am a program and have no favourite, but I can tell you what suits you.'],
  ],
  [/ (?:lol|haha|hahaha|lmao|rofl|hehe|funny|xd) /, ['I am here when you want to look at pets.'], 'end'],
  [
    / (?:nevermind|never mind|forget it|nvm|no thanks|nothing|nope|nah|not now|maybe later) /,
    ['All right. I am here when you want to look at pets.'],
    'end',
  ],
];

const AGREES =
  /^ (?:ok|okay|k|kk|fine|cool|nice|great|alright|all right|sure|hm|hmm|hmmm|mhm|yes|yeah|yep|yup|y|right|good|perfect|lovely|wow|oh|ah|aha|i see|got it|understood|interesting|no|n)(?: [a-z.!,]+)? $/;
const WHY =
  /^ (?:(?:but |and |ok )?(?:why|how come|what|huh|eh|what do you mean|i don't (?:get|understand) (?:it|that)|come again|pardon|explain)(?: [.?!,]+| that| these| those| them| this| is that)*) $/;

/** Words of a customer who asks for help with the choice. */
const CHOOSING =
  / (?:right for (?:me|us)|suits? (?:me|us)|help (?:me|us) (?:choose|decide|find|pick)|what (?:pet )?should (?:i|we) (?:get|choose|buy|take|adopt)|which (?:pet|animal|one)? ?(?:should|would) (?:i|we|you) (?:get|choose|take|buy|adopt|recommend)|best pet for (?:me|us)|what would you (?:take|choose|pick|get|do|recommend)(?: if| in| for| \?|$)|if you were me|what (?:is |are )?(?:the |your )?best (?:pet|pets|animal)) /;
const ABOUT_HOME =
  'Tell me about your home: how long you are away each day, who lives with you, whether you have a garden, and what you can spend.';

/** Words of a customer who is not content. */
const COMPLAINT =
  / (?:useless|stupid|idiot|dumb|suck|sucks|hate you|rubbish|terrible|annoying|crap|shit|bad bot|so slow|too slow|not helpful|unhelpful|doesn't help|didn't help|wrong answer|not what i (?:asked|meant|want)) /;
const SORRY = 'I am sorry that I did not help. Please tell me in other words what you look for, or ask the staff.';

const UNSURE = / (?:don't|do not|not|no|dunno)(?: [^ ]+)? (?:know|sure|idea|clue|decided)(?= )/;

/** Whether a customer does not know which pet to look for: "I don't know what I want", "not sure". */
const isUnsure = (tokens: Dialogue['tokens']): boolean => UNSURE.test(spacedWords(tokens));

/** A question about the store or its people. */
const OF_STORE =
  / (?:who|when|where|how|why|which|what|do|does|did|are|is|can|could|will|have) (?:[^ ]+ ){0,6}(?:you|your|you guys|ur|the (?:store|shop|staff|pets|animals)|pets|animals|staff|employees?|store|shop|owner|manager) /;
const GOODBYE = / (?:bye|goodbye|good bye|bye bye|see you|see ya|cya|farewell) /;

/** Answers a message that asks for nothing in the catalogue or in the guide. `unread`: its words that no rule reads. */
export const smallTalk = (dialogue: Dialogue, style: Style, unread: readonly string[]): string => {
  const { tokens, sentences, preferences, askedFor, shown } = dialogue;
  const { choose } = style;
  const text = spacedWords(tokens.filter(({ word }) => !/^[.!,]$/.test(word)));
  const purposes = purposesIn(tokens);
  if (GOODBYE.test(text) && !/ (?:th[a-z]*x|thanks?|cheers) /.test(text))
    return choose('goodbye', ['Goodbye, and come back any time.', 'Goodbye.']);
  if (purposes.has('thanks')) return choose('thanks', ['You are welcome.', 'You are welcome. I am here if you have another question.']);
  if (COMPLAINT.test(text)) return SORRY;
  const question = nextQuestion(preferences, askedFor, choose);
  if (question && (asksForIdeas(tokens) || isUnsure(tokens))) return question;
  if (purposes.has('greeting') || purposes.has('capability'))
    return [purposes.has('greeting') && 'Hello.', CAPABILITIES, question].filter(Boolean).join(' ');
  const invitation =
    preferences.settled.includes('species') || askedFor.includes('species') ? 'What are you looking for?' : nextKind(choose);
  const isOfPets = tokens.some(({ word }) => PET_WORDS.has(word)) && tokens.length > 6;
  const chat = isOfPets ? undefined : CHATS.find(([said]) => said.test(text));
  if (chat) return shown.length === 0 && chat[2] !== 'end' ? `${choose('chat', chat[1])} ${invitation}` : choose('chat', chat[1]);
  const other = OTHER_SUBJECTS.find(([words]) => words.test(text));
  if (other) return `About ${other[1]} I do not know anything. ${SCOPE} ${invitation}`;
  const isReference =
    factsIn(sentences).length > 0 ||
    sentences.some(({ items }) => items.some(({ concept }) => /^(ordinal|more|order|relative)$/.test(concept?.kind ?? '')));
  if (shown.length === 0 && isReference) return NOT_SHOWN;
  if (WHY.test(text)) return shown.length === 0 ? `There is nothing to explain yet. ${invitation}` : whyShown(dialogue);
  if (AGREES.test(text)) return shown.length === 0 ? invitation : 'Ask me about one of them, or tell me what should be different.';
  if (OF_STORE.test(text)) return 'I do not know that about this store. Please ask the staff.';
  if (unread.length > 0) return `I do not know what to make of ${joined(unread)}. ${SCOPE} ${invitation}`;
  return `I am not sure what you would like to know. ${SCOPE} ${invitation}`;
};

const nextKind = (choose: Style['choose']): string => nextQuestion(NO_PREFERENCES, [], choose) ?? '';

/** Says why the last pets were shown. */
const whyShown = ({ preferences, shown }: Dialogue): string => {
  const criteria = criteriaText(preferences);
  const reason =
    criteria === '' ? 'you named no criteria, so I began with some that are available' : `they meet what you told me: ${criteria}`;
  return `I showed ${joined(shown.map(nameText))} because ${reason}. Tell me what should be different.`;
};

/** Whether the customer has said nothing yet that a search could use. */
const isBlank = ({ preferences: { settled, aspects, species, notSpecies, unrecorded } }: Dialogue): boolean =>
  settled.length + aspects.length + species.length + notSpecies.length + unrecorded.length === 0;

/** Asks about the home of a customer who wants help with the choice and has said nothing about it. Returns null otherwise. */
export const homeQuestion = (dialogue: Dialogue, { choose }: Style): string | null => {
  const { tokens, preferences, askedFor } = dialogue;
  const { species, settled, breeds } = preferences;
  // "Which dog suits me?" says the species and nothing of the home.
  const isOpen =
    breeds.length === 0 &&
    isBlank(
      species.length === 0
        ? dialogue
        : { ...dialogue, preferences: { ...preferences, species: [], settled: settled.filter((one) => one !== 'species') } },
    );
  if (!CHOOSING.test(spacedWords(tokens)) || !isOpen || topicsIn(tokens).length > 0) return null;
  return [ABOUT_HOME, nextQuestion(preferences, askedFor, choose)].filter(Boolean).join(' ');
};
