import { spacedWords } from '../reading/token.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { purposesIn } from '../dialogue/purposes.js';
import { nextQuestion } from '../wording/ask.js';
import type { Style } from '../wording/part.js';
import { asksForIdeas } from './search-answer.js';

const CAPABILITIES =
  'I am the automatic advisor of this store. I find available pets that meet your criteria, say why they fit, compare pets, and answer questions about care from a short guide.';
const UNKNOWN =
  'I do not know that. I can find pets of this store, state what the catalogue says about them, and answer questions about their care.';

/** Words of a customer who asks for help with the choice. */
const CHOOSING =
  / (?:right for (?:me|us)|suits? (?:me|us)|help (?:me|us) (?:choose|decide|find|pick)|what (?:pet )?should (?:i|we) (?:get|choose|buy|take|adopt)|which (?:pet|animal|one)? ?(?:should|would) (?:i|we|you) (?:get|choose|take|buy|adopt|recommend)|best pet for (?:me|us)) /;
const ABOUT_HOME =
  'Tell me about your home: how long you are away each day, who lives with you, whether you have a garden, and what you can spend.';

/** Words of a customer who is not content. */
const COMPLAINT =
  / (?:useless|stupid|idiot|dumb|suck|sucks|hate you|rubbish|terrible|annoying|crap|shit|bad bot|not helpful|unhelpful|doesn't help|didn't help|wrong answer|not what i (?:asked|meant|want)) /;
const SORRY = 'I am sorry that I did not help. Please tell me in other words what you look for, or ask the staff.';

const UNSURE = / (?:don't|do not|not|no|dunno)(?: [^ ]+)? (?:know|sure|idea|clue|decided)(?= )/;

/** Whether a customer does not know which pet to look for: "I don't know what I want", "not sure". */
const isUnsure = (tokens: Dialogue['tokens']): boolean => UNSURE.test(spacedWords(tokens));

/** Answers a message that asks for nothing in the catalogue or in the guide. */
export const smallTalk = ({ tokens, preferences, askedFor }: Dialogue, { choose }: Style): string => {
  const purposes = purposesIn(tokens);
  if (purposes.has('thanks')) return choose('thanks', ['You are welcome.', 'You are welcome. I am here if you have another question.']);
  if (COMPLAINT.test(spacedWords(tokens))) return SORRY;
  const question = nextQuestion(preferences, askedFor, choose);
  if (question && (asksForIdeas(tokens) || isUnsure(tokens))) return question;
  if (!purposes.has('greeting') && !purposes.has('capability')) return UNKNOWN;
  return [purposes.has('greeting') && 'Hello.', CAPABILITIES, question].filter(Boolean).join(' ');
};

/** Whether the customer has said nothing yet that a search could use. */
const isBlank = ({ preferences: { settled, aspects, species, notSpecies, unrecorded } }: Dialogue): boolean =>
  settled.length + aspects.length + species.length + notSpecies.length + unrecorded.length === 0;

/** Asks about the home of a customer who wants help with the choice and has said nothing about it. Returns null otherwise. */
export const homeQuestion = (dialogue: Dialogue, { choose }: Style): string | null => {
  const { tokens, preferences, askedFor } = dialogue;
  if (!CHOOSING.test(spacedWords(tokens)) || !isBlank(dialogue)) return null;
  return [ABOUT_HOME, nextQuestion(preferences, askedFor, choose)].filter(Boolean).join(' ');
};
