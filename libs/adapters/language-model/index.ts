export { openLanguageModel } from './language-model.js';
