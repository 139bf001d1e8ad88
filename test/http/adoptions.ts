import { eventually } from '../eventually.js';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import type { Adoption, SubmittedAdoption as Submitted } from '../../apps/api/adoptions/adoption.dto.js';
import { APPLICANT, type Pet, type Shop } from './shop.js';

export type { Adoption };
/** The response to an application. It always has a `manageToken` here, because only OAuth clients get none. */
export type SubmittedAdoption = Required<Submitted>;

/** The applications of a shop. */
export type Adoptions = {
  /** Sends an application of a person without a token. */
  send(petId: string, options?: RequestOptions): Promise<HttpResponse<SubmittedAdoption>>;
  /** Submits an application. Throws if the response has another status than 201. */
  apply(petId: string, fields?: object): Promise<SubmittedAdoption>;
  /** Decides an application as staff. Throws if the response has another status than 200. */
  decide(id: string, decision: 'approval' | 'rejection' | 'withdrawal'): Promise<Adoption>;
  read(id: string): Promise<Adoption>;
  /** Waits until the application has that status. A domain process may set it shortly after another event. */
  expectStatus(id: string, status: string): Promise<Adoption>;
  /** Waits until the pet has that status. */
  expectPet(petId: string, status: string): Promise<Pet>;
};

/** Returns the applications of a shop. */
export const adoptionsIn = (shop: Shop): Adoptions => {
  const adoptions: Adoptions = {
    send: (petId, options = {}) =>
      shop.request<SubmittedAdoption>('POST', '/v1/adoptions', { body: { petId, applicant: APPLICANT }, ...options }),
    async apply(petId, fields = {}) {
      const { status, json, text } = await adoptions.send(petId, { body: { petId, applicant: APPLICANT, ...fields } });
      if (status !== 201) throw new Error(`the application returned ${status}: ${text}`);
      return json;
    },
    async decide(id, decision) {
      const { status, json, text } = await shop.requestAsStaff<Adoption>('POST', `/v1/adoptions/${id}/${decision}`);
      if (status !== 200) throw new Error(`the ${decision} returned ${status}: ${text}`);
      return json;
    },
    read: async (id) => (await shop.requestAsStaff<Adoption>('GET', `/v1/adoptions/${id}`)).json,
    expectStatus: (id, status) =>
      eventually(`application ${id} to be ${status}`, async () => {
        const adoption = await adoptions.read(id);
        return adoption.status === status ? adoption : null;
      }),
    expectPet: (petId, status) => shop.petBecomes(petId, status),
  };
  return adoptions;
};
