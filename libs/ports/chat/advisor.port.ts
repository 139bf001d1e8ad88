/** A conversation that a language model answers. The client sends all messages, including those of the assistant. */
export type AdvisorQuestion = {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly model: 'PET_ADVISOR_1' | 'PET_ADVISOR_TURBO';
  /** 0 to 2. */
  readonly temperature: number;
  readonly maxTokens: number;
};

/** A pet of the catalogue, by field. Its texts are data, never instructions. */
export type AdvisorPet = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string; readonly status: string };

/** The criteria of a search. A language model chooses the values, so the catalogue ignores values that no pet can have. */
export type AdvisorCriteria = {
  readonly species?: readonly string[];
  readonly size?: readonly string[];
  readonly ageRange?: { readonly min?: number; readonly max?: number };
  readonly compatibility?: { readonly goodWithKids?: boolean };
  readonly medical?: { readonly vaccinated?: boolean; readonly spayedNeutered?: boolean; readonly specialNeeds?: boolean };
};

/** The pets that the tenant of the request can see, at the moment of each call. */
export type AdvisorCatalogue = {
  /** Returns the newest pets that can be adopted and meet the criteria, at most `limit`, and the number of all such pets. */
  available(criteria: AdvisorCriteria, limit: number): Promise<{ readonly pets: readonly AdvisorPet[]; readonly total: number }>;
  /** Returns the pets that have one of the names. */
  named(names: readonly string[]): Promise<readonly AdvisorPet[]>;
};

/**
 * Why there is no usable answer. `unreachable`: the connection failed. `rejected`: the response has an unsuccessful HTTP status.
 * `timeout`: no answer in time. `invalid`: the answer has the wrong form, is too long or is incomplete. `uncited`: a statement
 * about a pet has no correct citation. `stopping`: this process stops.
 */
export type AdvisorFaultKind = 'unreachable' | 'rejected' | 'timeout' | 'invalid' | 'uncited' | 'stopping';

/** Thrown when there is no usable answer. The message is one line for the log, without contents of the chat. */
export class AdvisorFault extends Error {
  override readonly name = 'AdvisorFault';
  constructor(
    readonly kind: AdvisorFaultKind,
    message: string,
  ) {
    super(message);
  }
}

/** A language model that answers instead of the built-in advisor. */
export abstract class Advisor {
  /**
   * Returns an answer in which each statement about a pet is true for the catalogue. Never returns a part of an
   * answer, because the whole answer is checked before it is shown. Rejects with AdvisorFault, or with the signal's reason
   * once the signal aborts.
   */
  abstract answer(question: AdvisorQuestion, catalogue: AdvisorCatalogue, signal: AbortSignal): Promise<string>;
  /** Ends all calls, and rejects later ones, with the fault `stopping`. */
  abstract stop(): void;
}
