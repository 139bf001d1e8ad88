import type { CommandBus } from '@nestjs/cqrs';
import { IssueManageToken } from '../../../libs/application/adoptions/adoption.commands.js';
import type { CreationResult } from '../../../libs/application/request.js';

/**
 * Adds a new `manageToken` to the response to a submission. The service stores only digests of tokens, so a replayed response has
 * a new token. The token of the first response stays valid (contract 36.7).
 */
export const withManageToken = async (commands: CommandBus, adoption: CreationResult, tenant: string): Promise<CreationResult> => {
  const manageToken = await commands.execute(new IssueManageToken(adoption.id, tenant));
  return { ...adoption, json: JSON.stringify({ ...(JSON.parse(adoption.json) as object), manageToken }) };
};
