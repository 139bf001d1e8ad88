import { Controller, Get, Inject, Res, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { JSON_TYPE } from '../http/responses.js';
import { READINESS_CHECKS } from '../tokens.js';
import type { ReadinessCheck } from './readiness.js';

/** Serves health checks in the JSON format of @nestjs/terminus (contract 25.1), without a rate limit. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[],
  ) {}

  /** Answers 200 while the process runs. */
  @Get('live')
  async live(@Res() reply: FastifyReply): Promise<void> {
    await this.respond(reply, []);
  }

  /** Answers 200 if all readiness checks succeed, otherwise 503 with Retry-After. */
  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    await this.respond(reply, this.checks);
  }

  private async respond(reply: FastifyReply, checks: readonly ReadinessCheck[]): Promise<void> {
    reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store');
    try {
      const result = await this.health.check(checks.map((check) => () => this.run(check)));
      reply.code(200).send(JSON.stringify(result));
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      // In seconds (contract 4.8).
      reply.code(503).header('retry-after', '5').send(JSON.stringify(error.getResponse()));
    }
  }

  private async run({ name, check }: ReadinessCheck): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    try {
      const state = await check();
      return state.ready ? indicator.up(state.details) : indicator.down(state.reason);
    } catch {
      // The response does not contain the message of the error, which may reveal internal details (contract 4.7).
      return indicator.down('the check failed');
    }
  }
}
