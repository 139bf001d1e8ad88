import { accountRaces } from './account-races.js';

accountRaces(500);
