import type { PetStatus } from '../../../../libs/domain/pets/pet.events.js';

export const CLASSIC_STATUSES = ['available', 'pending', 'sold'] as const;
export type ClassicStatus = (typeof CLASSIC_STATUSES)[number];

/** The pet status for each classic status (contract 39.4). The pet status NOT_AVAILABLE has no classic status. */
const STATUS_OF = { available: 'AVAILABLE', pending: 'PENDING', sold: 'ADOPTED' } as const satisfies Record<ClassicStatus, PetStatus>;

/** The statuses of the pets that the classic variant shows. */
export const SHOWN_STATUSES: readonly PetStatus[] = Object.values(STATUS_OF);

/** Returns the pet status for a classic status. */
export const petStatusOf = (status: ClassicStatus): PetStatus => STATUS_OF[status];

/** Returns the classic status for a pet status, or null for NOT_AVAILABLE. The classic variant does not show such pets. */
export const classicStatusOf = (status: PetStatus): ClassicStatus | null =>
  CLASSIC_STATUSES.find((classic) => STATUS_OF[classic] === status) ?? null;
