import type { QueryBus } from '@nestjs/cqrs';
import { ValidateUrl } from '../../../libs/application/webhooks/webhook.queries.js';
import { fieldProblem } from '../http/problems/problem.js';

/** Throws a problem if `url` is an address to which the service does not send requests (contract 21.2). */
export const rejectForbiddenAddress = async (
  queries: QueryBus,
  { field, url }: { readonly field: string; readonly url: string },
  kind: 'invalid-request' | 'validation-failed',
): Promise<void> => {
  const reason = await queries.execute(new ValidateUrl(url));
  if (reason !== null) throw fieldProblem(kind, [{ field, message: withoutFullStop(reason), code: 'forbidden_address' }]);
};

/** Removes the full stop at the end of a sentence. `fieldProblem` adds a full stop to the message. */
const withoutFullStop = (sentence: string): string => sentence.replace(/\.$/, '');
