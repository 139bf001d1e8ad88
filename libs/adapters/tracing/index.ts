export { openOtlpTracing } from './otlp-tracing.js';
