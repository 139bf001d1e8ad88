export { gptTokenizer } from './gpt-tokenizer.js';
