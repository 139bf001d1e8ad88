/** A message for a topic. */
export type PublicMessage = {
  readonly topic: string;
  /** Messages with the same key stay in order. The key is the aggregate's id. */
  readonly key: string;
  /**
   * CloudEvents attributes, extensions included, by name in lower case: `id`, `source`, `type`, `time`,
   * `tenantid`, `sequence`.
   */
  readonly attributes: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly data: string;
  /** The span that caused the message, for the header `traceparent`. */
  readonly traceparent?: string;
};

/** The end of each partition: the offset that its next message will get. The keys have the form `<topic>/<partition>`. */
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
   * Sends all messages, in order per key. Resolves when every replica has acknowledged the messages. The result contains at
   * least the ends of the partitions that got messages. If the outcome is unknown, the promise rejects, and a retry may send some
   * messages again. Rejects with LeaseLost once a newer publisher with the same name exists. The brokers discard the messages
   * of the older publisher.
   */
  publish(messages: readonly PublicMessage[]): Promise<TopicEnds>;
  close(): Promise<void>;
}

/**
 * Returns the name that a topic, a consumer group or a publisher has at the brokers, which several stores can share. In the
 * namespace `shop`, `petstore.pets.v1` becomes `petstore.shop.pets.v1` (contract 24.10). An empty namespace changes nothing.
 */
export const inNamespace = (namespace: string, name: string): string =>
  namespace === '' ? name : name.replace('.', () => `.${namespace}.`);

/** Returns a name in a namespace without the namespace: the reverse of `inNamespace`. */
export const withoutNamespace = (namespace: string, name: string): string =>
  namespace === '' ? name : name.replace(`.${namespace}.`, () => '.');
