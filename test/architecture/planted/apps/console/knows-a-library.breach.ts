import { settings } from '../../libs/settings/settings.js';
export const known = settings;
