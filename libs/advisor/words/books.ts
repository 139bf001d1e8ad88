import { ALLERGIES, PREFERENCES } from './preferences.js';
import { ANIMALS } from './animals.js';
import { phraseBook } from './phrases.js';
import { PURPOSES } from './purposes.js';
import { TALK } from './talk.js';
import { FACTS, STORE_TOPICS, TOPICS } from './topics.js';

/** The phrases of preferences, and of words that change the meaning of preferences, such as negations. */
export const PREFERENCE_PHRASES = [...ANIMALS, ...TALK, ...PREFERENCES, ...ALLERGIES];

export const TOPIC_BOOK = phraseBook([...STORE_TOPICS, ...TOPICS]);
export const FACT_BOOK = phraseBook(FACTS);
export const PURPOSE_BOOK = phraseBook(PURPOSES);
export const PREFERENCE_BOOK = phraseBook(PREFERENCE_PHRASES);
