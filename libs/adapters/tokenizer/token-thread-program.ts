/** The program of the thread that counts tokens. A question are texts, and its answer the number of tokens of each. */
import { encode, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';
import { answerQuestions } from '../../threads/answer-questions.js';

/** Special tokens, such as `<|endoftext|>`, are encoded as plain text. By default, the package rejects a text with them. */
const OPTIONS = { disallowedSpecial: new Set<string>() };

// The cache of rare words is off, because a cached word would keep the whole text in memory.
setMergeCacheSize(0);

answerQuestions<readonly string[]>({ answer: (texts) => texts.map((text) => encode(text, OPTIONS).length), close: () => undefined });
