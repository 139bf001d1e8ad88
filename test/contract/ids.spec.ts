import { createIds } from '../../libs/adapters/system/index.js';
import { idsContract } from './ids.contract.js';

idsContract('the system ids', (clock) => createIds(clock));
