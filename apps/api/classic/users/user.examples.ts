/** Examples for the document of the classic variant. A test validates them. */
const PROFILE = { username: 'ann', firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', phone: '+14155550123', userStatus: 1 };

export const NEW_USER_EXAMPLE = { ...PROFILE, password: 'correct horse battery' };

export const USER_EXAMPLE = { id: 4503599627370498, ...PROFILE };

export const USER_CHANGES_EXAMPLE = { phone: '+14155550199' };

export const LOGIN_EXAMPLE = { username: 'ann', password: 'correct horse battery' };
