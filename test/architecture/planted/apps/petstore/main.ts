import { systemClock } from '../../libs/adapters/system/index.js';
import { api } from '../api/api.module.js';
import { worker } from '../worker/worker.js';
export const store = [systemClock, api, worker];
