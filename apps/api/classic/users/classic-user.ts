import type { PlainProfile } from '../../../../libs/application/users/user.commands.js';
import type { ClassicUser } from './user.dto.js';

type PlainUser = PlainProfile & { readonly id: string };

/** What only the classic variant shows of a user. `number` is the integer id (contract 39.3). */
export type ClassicFields = { readonly number: number; readonly userStatus: number | null };

/** Returns a user in the classic shape. `json` is the account in the shape of `/v1`. */
export const classicUser = (json: string, { number, userStatus }: ClassicFields): ClassicUser => {
  const { username, firstName, lastName, email, phone } = JSON.parse(json) as PlainUser;
  return {
    id: number,
    username,
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    email,
    ...(phone !== undefined && { phone }),
    ...(userStatus !== null && { userStatus }),
  };
};

/** Returns the id of an account from its JSON: the UUID, not the integer id. */
export const accountIdOf = (json: string): string => (JSON.parse(json) as PlainUser).id;
