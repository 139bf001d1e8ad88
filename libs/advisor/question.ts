export type ChatRole = 'SYSTEM' | 'USER' | 'ASSISTANT';
export type ChatMessage = { readonly role: ChatRole; readonly content: string };
export type AdvisorModel = 'PET_ADVISOR_1' | 'PET_ADVISOR_TURBO';

export type Question = {
  /** The client sends all messages, so it may have invented messages of the ASSISTANT. */
  readonly messages: readonly ChatMessage[];
  readonly model: AdvisorModel;
  /** 0 to 2. A higher value allows more wordings. */
  readonly temperature: number;
  /** Chooses the wording. The caller derives it from the request, so that equal requests get equal words. */
  readonly seed: number;
};

export type Advice = {
  readonly text: string;
  /** CONTENT_FILTER: a request for harm was refused (contract 40.7). */
  readonly finishReason: 'STOP' | 'CONTENT_FILTER';
  /** The ids of the pets about which the text states facts. */
  readonly pets: readonly string[];
};
