import type { QueryBus } from '@nestjs/cqrs';
import { ValidateUrl } from '../../../libs/application/webhooks/webhook.queries.js';
import { fieldProblem } from '../http/problems/problem.js';

/** Throws a problem with the reason if the service does not send requests to an address (contract 21.2). */
export const rejectForbiddenAddress = async (
  queries: QueryBus,
  { field, url }: { readonly field: string; readonly url: string },
  kind: 'invalid-request' | 'validation-failed',
): Promise<void> => {
  const objection = await queries.execute(new ValidateUrl(url));
  if (objection !== null) throw fieldProblem(kind, [{ field, message: withoutFullStop(objection), code: 'forbidden_address' }]);
};

/** A field's message has no full stop: the detail adds it. */
const withoutFullStop = (sentence: string): string => sentence.replace(/\.$/, '');
