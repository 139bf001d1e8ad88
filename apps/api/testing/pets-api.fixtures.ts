import { CreatePet, DeletePet, UpdatePet } from '../../../libs/application/pets/pet.commands.js';
import { GetPet, ListPets, SearchPets } from '../../../libs/application/pets/pet.queries.js';
import type { Environment } from '../../../libs/settings/settings.js';
import type { ApiOptions } from '../api.js';
import { PET_ID, runningApi, type RunningApi } from './running-api.fixtures.js';

export const LUNA = { name: 'Luna', species: 'DOG', ageMonths: 18 };
export const VIEW = { id: PET_ID, json: `{"id":"${PET_ID}","name":"Luna"}`, etag: '3.1', fields: {} };
export const PET = `/v1/pets/${PET_ID}`;

/** Makes a fake application respond as if it had one pet. */
export const answerPets = ({ application }: RunningApi): void => {
  application.setHandler(GetPet, () => VIEW);
  application.setHandler(ListPets, () => ({ items: ['{"a":1}'], totalItems: 41 }));
  application.setHandler(SearchPets, () => ({ items: ['{"a":1}'], totalItems: 1 }));
  application.setHandler(CreatePet, () => ({ ...VIEW, replayed: false }));
  application.setHandler(UpdatePet, () => VIEW);
  application.setHandler(DeletePet, () => null);
};

/** Starts the HTTP interface of a fake application with one pet. Call `app.close()` afterwards. */
export const petsApi = async (env: Environment = {}, options: Partial<ApiOptions> = {}): Promise<RunningApi> => {
  const api = await runningApi(env, options);
  answerPets(api);
  return api;
};
