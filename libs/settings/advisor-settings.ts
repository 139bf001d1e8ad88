import { publicUrlForm } from './address-values.js';
import { lineForm, modelsForm } from './setting-values.js';

/** The settings of a language model that answers chats (contract 41.10). */
export const ADVISOR = {
  advisorBaseUrl: {
    name: 'ADVISOR_BASE_URL',
    form: publicUrlForm,
    default: null,
    meaning: 'URL of an OpenAI-compatible model that answers chats; ADVISOR_MODELS must be set too. If unset, the built-in advisor answers',
  },
  advisorApiKey: {
    name: 'ADVISOR_API_KEY',
    form: lineForm,
    default: null,
    meaning: 'The API key for ADVISOR_BASE_URL',
    isSecret: true,
  },
  advisorModels: {
    name: 'ADVISOR_MODELS',
    form: modelsForm,
    default: null,
    meaning: 'For each model that chats can name: the name of the model at ADVISOR_BASE_URL that answers',
  },
} as const;
