import { jsonSchema, tool } from 'ai';
import type { AdvisorCatalogue, AdvisorCriteria, AdvisorPet } from '../../ports/chat/advisor.port.js';

/** The maximum number of pets in the result of a search. */
const MAX_PETS = 10;
/** The maximum number of names in a search by name. Further names are ignored. */
const MAX_NAMES = 10;

const FLAG = { type: 'boolean' } as const;
const MONTHS = { type: 'integer', minimum: 0 } as const;
const texts = { type: 'array', items: { type: 'string' } } as const;

/** The arguments of a search, as the model chooses them. */
type Search = {
  readonly species?: unknown;
  readonly size?: unknown;
  readonly ageMonthsMin?: unknown;
  readonly ageMonthsMax?: unknown;
  readonly goodWithKids?: unknown;
  readonly vaccinated?: unknown;
  readonly spayedNeutered?: unknown;
  readonly specialNeeds?: unknown;
};

/** Creates the tools of the model. `onSeen` is called with each pet that a tool returns to the model. */
export const catalogueTools = (catalogue: AdvisorCatalogue, onSeen: (pet: AdvisorPet) => void) => {
  const forModel = (pets: readonly AdvisorPet[]) => pets.map((pet) => shownPet(pet, onSeen));
  return {
    search_pets: tool({
      description:
        `Returns at most ${MAX_PETS} AVAILABLE pets that meet all criteria, newest first. ` +
        '`total` is the number of all matching pets, including those not returned.',
      inputSchema: jsonSchema<Search>({
        type: 'object',
        properties: {
          species: { type: 'array', items: { type: 'string', enum: ['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER'] } },
          size: { type: 'array', items: { type: 'string', enum: ['SMALL', 'MEDIUM', 'LARGE'] } },
          ...{ ageMonthsMin: MONTHS, ageMonthsMax: MONTHS },
          ...{ goodWithKids: FLAG, vaccinated: FLAG, spayedNeutered: FLAG, specialNeeds: FLAG },
        },
        additionalProperties: false,
      }),
      execute: async (search) => {
        const { pets, total } = await catalogue.available(criteriaOf(search), MAX_PETS);
        return { pets: forModel(pets), total };
      },
    }),
    find_pets_by_name: tool({
      description: 'Returns the pets with these names, in any status.',
      inputSchema: jsonSchema<{ readonly names?: unknown }>({ type: 'object', properties: { names: texts }, required: ['names'] }),
      execute: async ({ names }) => ({ pets: forModel(await catalogue.named(textsIn(names).slice(0, MAX_NAMES))) }),
    }),
  };
};

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** Converts the arguments of a search. The SDK has not validated them, so arguments of a wrong type are ignored. */
const criteriaOf = (search: Search): AdvisorCriteria => {
  const months = (value: unknown): number | undefined => (Number.isInteger(value) ? Number(value) : undefined);
  const flags = (...names: readonly (keyof Search)[]): Readonly<Record<string, boolean>> =>
    Object.fromEntries(names.flatMap((name) => (typeof search[name] === 'boolean' ? [[name, search[name]]] : [])));
  const [min, max] = [months(search.ageMonthsMin), months(search.ageMonthsMax)];
  return {
    species: textsIn(search.species),
    size: textsIn(search.size),
    ageRange: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
    compatibility: flags('goodWithKids'),
    medical: flags('vaccinated', 'spayedNeutered', 'specialNeeds'),
  };
};

/** Fields of a pet that the model does not get, because an answer does not need them. */
const HIDDEN: ReadonlySet<string> = new Set(['photos', 'createdAt', 'updatedAt', 'tenantId']);
/** The maximum number of characters of each text that the model gets. A longer text is cut. */
const LONGEST_TEXT = 1_000;

/** Returns a pet as the model sees it, and passes the whole pet to `onSeen`. */
const shownPet = (pet: AdvisorPet, onSeen: (pet: AdvisorPet) => void): object => {
  onSeen(pet);
  return Object.fromEntries(
    Object.entries(pet)
      .filter(([name]) => !HIDDEN.has(name))
      .map(([name, value]) => [name, shortened(value)]),
  );
};

/** Shortens a text, or the texts in a list or object. */
const shortened = (value: unknown): unknown => {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
};
