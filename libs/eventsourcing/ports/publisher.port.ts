/** A message for a topic. */
export type PublicMessage = {
  readonly topic: string;
  /** Messages with the same key stay in order. It is the aggregate's id. */
  readonly key: string;
  /**
   * CloudEvents attributes, extensions included, by name in lower case: `id`, `source`, `type`, `time`,
   * `tenantid`, `sequence`.
   */
  readonly attributes: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly data: string;
};

/** The ends of topics: by `topic/partition`, the offset of the next message. */
export type TopicEnds = Readonly<Record<string, number>>;

/** The state of the topics at the brokers. Ends only grow, even if messages are deleted by retention. */
export type TopicsState = {
  /** Identifies the cluster that stores the topics. */
  readonly cluster: string;
  readonly ends: TopicEnds;
};

/** Publishes messages to topics. Only the distributed profile has a publisher. */
export interface Publisher {
  /**
   * Sends all messages, in order per key. Every replica has acknowledged them when the promise resolves.
   * Rejects if the outcome is unknown: a retry may then repeat some. Rejects with LeaseLost once a newer
   * publisher with the same name exists: messages from this one are discarded. Resolves with the ends of at
   * least those partitions that it wrote to.
   */
  publish(messages: readonly PublicMessage[]): Promise<TopicEnds>;
  close(): Promise<void>;
}

/**
 * Returns the name of a topic, a consumer group or a publisher at brokers that several stores share:
 * `petstore.pets.v1` of the namespace `shop` is `petstore.shop.pets.v1` (contract 24.10). An empty namespace
 * changes nothing.
 */
export const inNamespace = (namespace: string, name: string): string =>
  namespace === '' ? name : name.replace('.', () => `.${namespace}.`);

/** Returns the name without the namespace. */
export const withoutNamespace = (namespace: string, name: string): string =>
  namespace === '' ? name : name.replace(`.${namespace}.`, () => '.');
