/**
 * The program of `traces.bench.ts`: one service with a second HTTP interface. The first interface sends its traces to the
 * collector whose address is the first argument. The second sends none. Both are in one process, because the rates of two
 * processes can differ by up to a third, even if both run the same program.
 */
import { openTracing } from '../../apps/petstore/composition/observing/open-tracing.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { createEmbeddedApi, start } from '../../apps/petstore/start.js';
import { parseSettings } from '../../libs/settings/settings.js';

/** The addresses of the two interfaces. */
export type TracedServer = { readonly on: string; readonly off: string };

const settings = parseSettings(process.env);
const log = createLog(settings.logLevel);
const tracing = await openTracing(parseSettings({ ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: process.argv[2] ?? '' }), log);
if (!tracing) throw new Error('the address of a collector is missing');
const service = await start(settings, log, { tracing });
// The second interface gets no tracing. The events of its requests belong to no trace, so their later processing has no spans.
const { tracing: _, ...untraced } = service.store;
const { app } = await createEmbeddedApi(settings, log, untraced);
await app.listen(0, '127.0.0.1');
process.once('disconnect', () => void service.stop().finally(() => process.exit()));
process.send?.({ on: service.url, off: await app.getUrl() } satisfies TracedServer);
