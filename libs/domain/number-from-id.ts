/** The numbers of NumbersReserved count up from 1 and stay below 2^52. So a number from an id never equals one of them. */
const FIRST_FROM_ID = 2 ** 52;

/**
 * Returns the integer id of a resource in the classic variant, if the resource was recorded without one (contract 39.3). The
 * number is FIRST_FROM_ID plus the last 52 bits (13 hexadecimal digits) of the UUID, which are random. It is below 2^53, so
 * JSON readers with double precision keep it exactly.
 */
export const numberFromId = (id: string): number => FIRST_FROM_ID + Number.parseInt(id.replaceAll('-', '').slice(-13), 16);
