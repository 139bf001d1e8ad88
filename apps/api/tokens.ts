/** Injection tokens of the HTTP interface. */
export const PUBLIC_ADDRESS = Symbol('PublicAddress');
export const READINESS_CHECKS = Symbol('ReadinessChecks');
export const ORDER_HOLD = Symbol('OrderHold');
export const RETRY_DELAYS = Symbol('RetryDelays');
export const TOPIC_SETTINGS = Symbol('TopicSettings');
export const TOKEN_SIGNER = Symbol('TokenSigner');
export const TOKEN_VERIFIER = Symbol('TokenVerifier');
export const TOKEN_COMMAND = Symbol('TokenCommand');
export const REQUEST_LOG = Symbol('RequestLog');
export const FAILED_ATTEMPTS = Symbol('FailedAttempts');
export const OUTSIDE_ISSUER = Symbol('OutsideIssuer');
export const CONSOLE_TERMS = Symbol('ConsoleTerms');
