import type { Consumer, ConsumerState, Messages, Subscription } from '../../../eventsourcing/ports/messages.port.js';
import type { AppendParticipant } from '../log/log-writer.js';
import { ConsumerGroup, type GroupDependencies, type Handle } from './consumer-group.js';

/** Durable subscriptions to the log. Their positions are stored in the commits of the log, without another fsync. */
export class SqliteMessages implements Messages, AppendParticipant {
  private readonly groups = new Map<string, ConsumerGroup>();
  private readonly stoppingGroups = new Map<string, Promise<void>>();
  private inCurrentCommit: { readonly group: ConsumerGroup; readonly position: number }[] = [];

  constructor(private readonly dependencies: GroupDependencies) {}

  async subscribe(consumer: Consumer): Promise<Subscription> {
    const { name, types, handle } = consumer;
    await this.stoppingGroups.get(name);
    let group = this.groups.get(name);
    if (!group) this.groups.set(name, (group = new ConsumerGroup(name, consumer, this.dependencies)));
    if (!group.hasTypes(types)) throw new Error(`two consumers named ${name} subscribe to different message types`);
    return this.subscriptionOf(group, handle);
  }

  async consumers(): Promise<Readonly<Record<string, ConsumerState>>> {
    const states = [...this.groups.values()].map(async (group) => [group.name, await group.state()] as const);
    return Object.fromEntries(await Promise.all(states));
  }

  onAppended(): void {
    this.inCurrentCommit = [];
    for (const group of this.groups.values()) {
      const position = group.unstoredPosition();
      if (position === null) continue;
      this.dependencies.records.storePosition(group.name, position);
      this.inCurrentCommit.push({ group, position });
    }
  }

  onCommitted(): void {
    for (const { group, position } of this.inCurrentCommit) group.markStored(position);
    this.inCurrentCommit = [];
  }

  onRolledBack(): void {
    this.inCurrentCommit = [];
  }

  /** Stops every subscription. */
  async close(): Promise<void> {
    await Promise.all([...this.groups.values()].map((group) => this.end(group)));
  }

  private subscriptionOf(group: ConsumerGroup, handle: Handle): Subscription {
    const inProgress = new Set<Promise<void>>();
    const tracked: Handle = async (message) => {
      const work = handle(message);
      inProgress.add(work);
      try {
        await work;
      } finally {
        inProgress.delete(work);
      }
    };
    group.join(tracked);
    let stopping: Promise<void> | null = null;
    const stop = async (): Promise<void> => {
      if (group.leave(tracked)) await Promise.allSettled(inProgress);
      else await this.end(group);
    };
    return {
      stop: () => (stopping ??= stop()),
      retryParked: () => group.retryParked(),
    };
  }

  private end(group: ConsumerGroup): Promise<void> {
    const stopping = this.stoppingGroups.get(group.name);
    if (stopping) return stopping;
    const ended = group.stop().then(() => {
      this.stoppingGroups.delete(group.name);
      this.groups.delete(group.name);
    });
    this.stoppingGroups.set(group.name, ended);
    return ended;
  }
}
