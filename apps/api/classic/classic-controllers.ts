import { ClassicPetsController } from './pets/classic-pets.controller.js';
import { ClassicStoreController } from './store/classic-store.controller.js';
import { ClassicLoginController } from './users/classic-login.controller.js';
import { ClassicUsersController } from './users/classic-users.controller.js';

/** The controllers of the operations of the classic variant. */
export const CLASSIC_OPERATION_CONTROLLERS = [
  ClassicPetsController,
  ClassicStoreController,
  ClassicLoginController,
  ClassicUsersController,
];
