import { settings } from '../settings/settings.js';
export const known = settings;
