import { randomPassword } from '../../../libs/adapters/system/index.js';

/** Returns a random password, to be shown once to an operator. */
export const createPassword = (): string => randomPassword();
