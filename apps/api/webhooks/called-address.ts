import type { QueryBus } from '@nestjs/cqrs';
import { ValidateUrl } from '../../../libs/application/webhooks/webhook.queries.js';
import { fieldProblem } from '../http/problems/problem.js';

/**
 * "Any address a caller supplies is checked when given (a forbidden literal is 422 for webhooks)"; "a
 * forbidden or malformed callbackUrl is 400". Throws the problem that says why not.
 */
export const rejectForbiddenAddress = async (
  queries: QueryBus,
  { field, url }: { readonly field: string; readonly url: string },
  kind: 'invalid-request' | 'validation-failed',
): Promise<void> => {
  const objection = await queries.execute(new ValidateUrl(url));
  if (objection !== null) throw fieldProblem(kind, [{ field, message: withoutFullStop(objection), code: 'forbidden_address' }]);
};

/** Messages go on after the field's name, and get their full stop where they are put together. */
const withoutFullStop = (sentence: string): string => sentence.replace(/\.$/, '');
