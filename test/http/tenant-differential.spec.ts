import { tenantDifferential } from './tenant-differential.js';

tenantDifferential('documented');
