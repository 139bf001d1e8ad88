import { TOPIC_BOOK } from '../words/books.js';
import type { Topic } from '../words/concept.js';
import { BROADER, TOPIC_PATTERNS } from './topic-patterns.js';
import { spacedWords, type Token } from './token.js';

/**
 * Returns the topics of care and of the store that words name, each once, in the order of the words. A topic is left out if a more
 * exact one is there: "how often do I feed it" is about meals, not about feeding as a whole.
 */
export const topicsIn = (tokens: readonly Token[]): readonly Topic[] => {
  const text = spacedWords(tokens);
  const topics: Topic[] = TOPIC_PATTERNS.flatMap(([topic, pattern]) => (pattern.test(text) ? [topic] : []));
  for (let at = 0; at < tokens.length;) {
    const found = TOPIC_BOOK(tokens, at);
    if (found?.concept.kind === 'topic') topics.push(found.concept.topic);
    at += found?.length ?? 1;
  }
  const replaced = new Set(topics.flatMap((topic) => BROADER[topic] ?? []));
  return [...new Set(topics)].filter((topic) => !replaced.has(topic));
};
