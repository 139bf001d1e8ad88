import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { AdvisorFault, type Advisor } from '../../../../libs/ports/chat/advisor.port.js';
import type { Metrics } from '../../../../libs/ports/metrics.port.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { Log } from '../../logging/log.js';

type AdvisorSettings = Pick<Settings, 'advisorBaseUrl' | 'advisorApiKey' | 'advisorModels'>;
type AdvisorDependencies = { readonly clock: Clock; readonly metrics?: Metrics | undefined };

/** The minimum time in milliseconds between two log lines about a model that gives no usable answers. */
const LOG_INTERVAL = 10_000;

/**
 * Creates the advisor that calls a language model. This advisor counts the calls, and logs the faults of the model
 * (contract 41.10). Returns undefined if the settings name no model. The packages for language models are loaded only here,
 * because they take as long to load as all other packages together.
 */
export const createAdvisor = async (
  settings: AdvisorSettings,
  { clock, metrics }: AdvisorDependencies,
  log: Log,
): Promise<Advisor | undefined> => {
  const { advisorBaseUrl, advisorApiKey: apiKey, advisorModels: models } = settings;
  if (advisorBaseUrl === undefined || models === undefined) return undefined;
  const { openLanguageModel } = await import('../../../../libs/adapters/language-model/index.js');
  const model = openLanguageModel({ baseUrl: advisorBaseUrl, apiKey, models, clock });
  const logFault = createFaultLog(clock, log);
  return {
    stop: () => model.stop(),
    async answer(question, catalogue, signal) {
      try {
        const answer = await model.answer(question, catalogue, signal);
        metrics?.modelCalled('answered');
        return answer;
      } catch (error) {
        if (error instanceof AdvisorFault) {
          metrics?.modelCalled(error.kind);
          logFault(error);
        }
        throw error;
      }
    },
  };
};

/**
 * Returns a function that logs faults, at most one line in LOG_INTERVAL. `chats` in a line is the number of faults since the
 * previous line.
 */
const createFaultLog = (clock: Clock, log: Log): ((fault: AdvisorFault) => void) => {
  let last = -Infinity;
  let chats = 0;
  return ({ kind, message }) => {
    chats++;
    if (clock.elapsed() - last < LOG_INTERVAL) return;
    last = clock.elapsed();
    log.warn({ fault: kind, reason: message, chats }, 'the language model gave no usable answer; the built-in advisor answered');
    chats = 0;
  };
};
