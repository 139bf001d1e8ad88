import type { QueryBus } from '@nestjs/cqrs';
import { ValidateUrl } from '../../../libs/application/webhooks/webhook.queries.js';
import { fieldProblem } from '../http/problems/problem.js';

/** Throws a problem if the service does not send requests to an address (contract 21.2). */
export const rejectForbiddenAddress = async (
  queries: QueryBus,
  { field, url }: { readonly field: string; readonly url: string },
  kind: 'invalid-request' | 'validation-failed',
): Promise<void> => {
  const reason = await queries.execute(new ValidateUrl(url));
  if (reason !== null) throw fieldProblem(kind, [{ field, message: withoutFullStop(reason), code: 'forbidden_address' }]);
};

/** Removes the full stop, which `fieldProblem` adds again. */
const withoutFullStop = (sentence: string): string => sentence.replace(/\.$/, '');
