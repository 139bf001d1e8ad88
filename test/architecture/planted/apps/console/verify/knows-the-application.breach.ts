import { exportFile } from '../../../libs/application/audit/planned-export.js';
export const known = exportFile;
