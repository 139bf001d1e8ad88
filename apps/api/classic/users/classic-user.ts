import type { PlainProfile } from '../../../../libs/application/users/create-user.handler.js';
import { numberFromId } from '../../../../libs/domain/number-from-id.js';
import type { ClassicUser } from './user.dto.js';

type PlainUser = PlainProfile & { readonly id: string };

/**
 * Returns a user in the classic shape. `json` is the account in the shape of `/v1`. No request contains the integer id of
 * a user: the paths of users contain the username (contract 39.3).
 */
export const classicUser = (json: string, userStatus: number | null): ClassicUser => {
  const { id, username, firstName, lastName, email, phone } = JSON.parse(json) as PlainUser;
  return {
    id: numberFromId(id),
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
