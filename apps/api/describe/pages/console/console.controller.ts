import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Problem } from '../../../http/problems/problem.js';
import type { PublicAddress } from '../../../http/public-address.js';
import { CONSOLE_RETURN_PATH } from '../../../oauth/provider/page-clients.js';
import { CONSOLE_TERMS, OUTSIDE_ISSUER, PUBLIC_ADDRESS } from '../../../tokens.js';
import { consolePolicy, sendPage } from '../page.js';
import { consoleFile, isConsoleBuilt, type ConsoleFile } from '../page-files.js';
import { sendPublic } from '../send-public.js';
import { consoleHtml, signedInHtml, type ConsoleTerms } from './console-page.js';

/** Serves the console of operators and auditors (contract 43.11). */
@Controller('ops')
export class ConsoleController {
  private readonly policy: string;

  constructor(
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(CONSOLE_TERMS) private readonly terms: ConsoleTerms,
    @Inject(OUTSIDE_ISSUER) private readonly outsideIssuer: string | null,
  ) {
    this.policy = consolePolicy(outsideIssuer);
  }

  /** A reload must get the shell of this program, whose files may be newer, so the page has no entity tag. */
  @Get()
  page(@Res() reply: FastifyReply): void {
    const { terms, outsideIssuer, policy } = this;
    sendPage(reply, consoleHtml({ ...terms, publicUrl: this.address.url, outsideIssuer, isBuilt: isConsoleBuilt() }), { policy });
  }

  @Get(CONSOLE_RETURN_PATH.replace('/ops', ''))
  signedIn(@Res() reply: FastifyReply): void {
    sendPage(reply, signedInHtml({ isBuilt: isConsoleBuilt() }), { policy: this.policy });
  }

  @Get('console.js')
  script(@Res() reply: FastifyReply): Promise<void> {
    return sendFile(reply, 'console.js');
  }

  /** The worker that verifies exports, which the page loads when it is needed. A worker has the policy of its own response. */
  @Get('verify.js')
  verifier(@Res() reply: FastifyReply): Promise<void> {
    return sendFile(reply, 'verify.js', WORKER_POLICY);
  }

  @Get('console.css')
  stylesheet(@Res() reply: FastifyReply): Promise<void> {
    return sendFile(reply, 'console.css');
  }
}

/** The worker is one file, and gets files and checkpoints from its page. So it can send nothing of them anywhere. */
const WORKER_POLICY = "default-src 'none'";

const sendFile = async (reply: FastifyReply, name: ConsoleFile, policy?: string): Promise<void> => {
  const file = consoleFile(name);
  if (!file) throw new Problem('not-found', 'The files of the console are missing: run "npm run build" in the folder of the service.');
  if (policy !== undefined) reply.header('content-security-policy', policy);
  await sendPublic(reply, file);
};
