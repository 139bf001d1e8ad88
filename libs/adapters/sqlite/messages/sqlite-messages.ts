import type { Consumer, ConsumerState, Messages, Subscription } from '../../../eventsourcing/ports/messages.port.js';
import type { CommitPart } from '../log/log-writer.js';
import { ConsumerGroup, type GroupParts, type Handle } from './consumer-group.js';

/** Durable subscriptions: stored positions over the log. They ride on the log's own commits, so that they cost no extra wait for the disk. */
export class SqliteMessages implements Messages, CommitPart {
  private readonly groups = new Map<string, ConsumerGroup>();
  private readonly ending = new Map<string, Promise<void>>();
  private riding: { readonly group: ConsumerGroup; readonly position: number }[] = [];

  constructor(private readonly parts: GroupParts) {}

  async subscribe(consumer: Consumer): Promise<Subscription> {
    const { name, types, handle } = consumer;
    await this.ending.get(name);
    let group = this.groups.get(name);
    if (!group) this.groups.set(name, (group = new ConsumerGroup(name, consumer, this.parts)));
    if (!group.wants(types)) throw new Error(`two consumers named ${name} want different messages`);
    return this.subscriptionOf(group, handle);
  }

  async consumers(): Promise<Readonly<Record<string, ConsumerState>>> {
    const states = [...this.groups.values()].map(async (group) => [group.name, await group.state()] as const);
    return Object.fromEntries(await Promise.all(states));
  }

  inside(): void {
    this.riding = [];
    for (const group of this.groups.values()) {
      const position = group.unstored();
      if (position === null) continue;
      this.parts.records.move(group.name, position);
      this.riding.push({ group, position });
    }
  }

  needsOwnTransaction(): boolean {
    return false;
  }

  committed(): void {
    for (const { group, position } of this.riding) group.storedAt(position);
    this.riding = [];
  }

  rolledBack(): void {
    this.riding = [];
  }

  /** Stops every subscription. */
  async close(): Promise<void> {
    await Promise.all([...this.groups.values()].map((group) => this.end(group)));
  }

  private subscriptionOf(group: ConsumerGroup, handle: Handle): Subscription {
    const inHand = new Set<Promise<void>>();
    const tracked: Handle = async (message) => {
      const work = handle(message);
      inHand.add(work);
      try {
        await work;
      } finally {
        inHand.delete(work);
      }
    };
    group.join(tracked);
    let stopping: Promise<void> | null = null;
    const stop = async (): Promise<void> => {
      if (group.leave(tracked)) await Promise.allSettled(inHand);
      else await this.end(group);
    };
    return {
      stop: () => (stopping ??= stop()),
      retryParked: () => group.retryParked(),
    };
  }

  private end(group: ConsumerGroup): Promise<void> {
    const known = this.ending.get(group.name);
    if (known) return known;
    const ended = group.stop().then(() => {
      this.ending.delete(group.name);
      this.groups.delete(group.name);
    });
    this.ending.set(group.name, ended);
    return ended;
  }
}
