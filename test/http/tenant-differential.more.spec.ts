import { tenantDifferential } from './tenant-differential.js';

tenantDifferential('strict');
