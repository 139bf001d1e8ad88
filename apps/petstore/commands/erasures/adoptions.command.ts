import { UUID } from '../../../api/http/patterns.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceOptions } from '../../client/service-client.js';
import { CommandError } from '../../errors/command-error.js';
import { runAsCaller } from '../ops/run-as-operator.js';

/** The options of `petstore adoptions erase`. `yes` confirms the erasure. */
export type EraseApplicantOptions = ServiceOptions & { readonly yes?: boolean };

/** Erases the applicant of an adoption application permanently. The record is kept (contract 36.8). */
export const eraseApplicant = async (settings: Settings, id: string, { yes = false, ...options }: EraseApplicantOptions): Promise<void> => {
  if (!UUID.test(id)) throw new CommandError(`${id} is not the id of an application; GET /v1/adoptions lists all`);
  if (!yes)
    throw new CommandError(
      `nothing was erased. Name, email address, phone number and message of the application ${id} would be lost permanently: pass --yes to erase them`,
    );
  const caller = { subject: 'adoptions', scope: 'write:pets ops' };
  await runAsCaller(settings, options, caller, (client) => client.request('DELETE', `/v1/adoptions/${id}`));
  process.stdout.write(`The applicant of ${id} is erased. The record is kept.\n`);
};
