import type { TopicFinding } from '../../../../../libs/adapters/kafka/index.js';
import type { Clock } from '../../../../../libs/eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../../../libs/eventsourcing/ports/event-store.port.js';
import { repeat } from '../../../../../libs/runtime/following/repeat.js';
import { CommandError } from '../../../errors/command-error.js';
import type { Log } from '../../../../../libs/eventsourcing/ports/log.port.js';

/** Milliseconds between two checks (contract 22.7). */
const CHECK_EVERY = 600_000;
/** Milliseconds between two checks while topics differ from the promise: an operator sees soon that a correction helped. */
const RECHECK_EVERY = 30_000;
/** Milliseconds before a failed check is repeated: the topics are checked soon after the brokers are back. */
const RETRY_EVERY = 5_000;

type TopicWatchDependencies = {
  /** Creates missing topics at its first success, and compares the topics with their promise. */
  readonly checkTopics: () => Promise<readonly TopicFinding[]>;
  /** Whether a contradiction stops the start. */
  readonly isProduction: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Returns the sentence for topics that contradict their promise, each with the command that corrects it, or null if none does.
 */
export const contradictionsIn = (findings: readonly TopicFinding[]): string | null => {
  const texts = findings.filter(({ kind }) => kind === 'contradiction').map(({ text }) => text);
  return texts.length === 0 ? null : `topics differ from what is promised, so messages could be lost.\n${texts.join('\n')}`;
};

/**
 * Watches whether the topics keep what is promised (contract 22.7). In production, contradictions fail the start. While the
 * brokers cannot be reached, the result of the last check applies.
 */
export class TopicWatch {
  private findings: readonly TopicFinding[] = [];
  /** Whether a check has succeeded that did not prevent the start. */
  private hasStarted = false;
  private stopChecking = (): Promise<void> => Promise.resolve();

  constructor(private readonly dependencies: TopicWatchDependencies) {}

  /** Returns a sentence for each difference between the topics and their promise. */
  warnings(): readonly string[] {
    return this.findings.map(({ text }) => text);
  }

  /** Returns why nothing is published or consumed until an operator corrects the topics, or null. */
  blockedReason(): string | null {
    return this.hasStarted ? null : this.contradictionsInProduction();
  }

  /**
   * Checks the topics, and from then on every ten minutes. In production, rejects with CommandError if topics contradict the
   * promise. If the brokers cannot be reached, resolves and checks again until they can.
   */
  async start(): Promise<void> {
    const { clock, log } = this.dependencies;
    let firstDelay = RETRY_EVERY;
    try {
      await this.check();
      firstDelay = this.pause();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      log.warn({ reason: error.message }, 'the topics could not be compared with what is promised; this is retried');
    }
    const reason = this.contradictionsInProduction();
    if (reason !== null) throw new CommandError(reason);
    const work = async (): Promise<number> => {
      await this.check();
      return this.pause();
    };
    // The relay and the consumers log the outage, and health shows it.
    this.stopChecking = repeat({ clock, firstDelay, work, failureDelay: RETRY_EVERY, onError: () => undefined });
  }

  stop(): Promise<void> {
    return this.stopChecking();
  }

  private async check(): Promise<void> {
    const { checkTopics, isProduction, log } = this.dependencies;
    const earlier = new Set(this.warnings());
    this.findings = await checkTopics();
    this.hasStarted ||= this.contradictionsInProduction() === null;
    for (const { kind, text } of this.findings) {
      if (earlier.delete(text)) continue;
      if (isProduction && kind === 'contradiction') log.error({}, text);
      else log.warn({}, text);
    }
    for (const text of earlier) log.info({}, `corrected: ${text}`);
  }

  private pause(): number {
    if (this.blockedReason() !== null) return RETRY_EVERY;
    return this.findings.length > 0 ? RECHECK_EVERY : CHECK_EVERY;
  }

  private contradictionsInProduction(): string | null {
    return this.dependencies.isProduction ? contradictionsIn(this.findings) : null;
  }
}
