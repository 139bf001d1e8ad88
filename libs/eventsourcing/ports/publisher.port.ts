/** A message for the outside, ready to be sent. */
export type PublicMessage = {
  readonly topic: string;
  /** Messages of one key stay in order: the aggregate's id. */
  readonly key: string;
  /** CloudEvents attributes, extensions included, by name in lower case: `id`, `source`, `type`, `time`, `tenantid`, `sequence`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly data: string;
};

/** How far topics go: by `topic/partition`, the offset that the next message there gets. */
export type TopicEnds = Readonly<Record<string, number>>;

/** The topics as the brokers have them; ends only grow, whatever is no longer kept. */
export type TopicsNow = {
  /** Names the servers that hold the topics. */
  readonly cluster: string;
  readonly ends: TopicEnds;
};

/** Publishes messages to topics. Only the distributed profile has one. */
export interface Publisher {
  /**
   * Sends all of them, in order per key; acknowledged by every replica when the promise resolves. Rejects when it is not
   * known that all were taken: sending them again may then repeat some. Rejects with LeaseLost once a newer publisher of
   * the same name has begun: what this one sends reaches nobody any more. Resolves with where the partitions end that they
   * went to, at the least.
   */
  publish(messages: readonly PublicMessage[]): Promise<TopicEnds>;
  close(): Promise<void>;
}
