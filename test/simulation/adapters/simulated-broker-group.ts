import type { Offset } from '../../../libs/adapters/kafka/consuming/fetching.js';
import { partitionKeyOf } from '../../../libs/adapters/kafka/consuming/partition-progress.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

type BrokerErrorType =
  | 'ILLEGAL_GENERATION'
  | 'INVALID_PRODUCER_EPOCH'
  | 'INVALID_TXN_STATE'
  | 'REBALANCE_IN_PROGRESS'
  | 'UNKNOWN_MEMBER_ID'
  | 'UNKNOWN_TOPIC_OR_PARTITION';

/** An error that a broker responds with. The real adapter recognises it by `type`. */
export class BrokerError extends Error {
  constructor(readonly type: BrokerErrorType) {
    super(type);
  }
}

/** What a consumer sends to join a group. Times are in milliseconds. */
export type JoinRequest = { readonly topics: readonly string[]; readonly sessionTimeout: number; readonly rebalanceTimeout: number };

/** The partitions of a member, by topic. */
type Assignment = Readonly<Record<string, readonly number[]>>;

/** The response to a member that joins. `assigned` is null as long as the group waits for other members. */
export type Joined = {
  readonly memberId: string;
  readonly assigned: { readonly generation: number; readonly partitions: Assignment; readonly offsets: readonly Offset[] } | null;
};

type Member = JoinRequest & { readonly id: string; lastSeen: number; hasJoined: boolean; partitions: Record<string, number[]> };

/**
 * A consumer group as its coordinator knows it. When a member comes or goes, all others must join again, and then share the
 * partitions anew. A member is removed if it sends nothing for its session timeout, or does not join again in time.
 */
export class BrokerGroup {
  private readonly members = new Map<string, Member>();
  private readonly offsets = new Map<string, number>();
  private joins = 0;
  private generation = 0;
  /** When the members that have not joined again are removed. Null if the group does not rebalance. */
  private rebalanceUntil: number | null = null;

  constructor(
    private readonly id: string,
    private readonly clock: Clock,
    private readonly partitionsOf: (topic: string) => readonly unknown[],
  ) {}

  /** Adds a new member, or lets a member join again. */
  join(memberId: string | null, request: JoinRequest): Joined {
    this.removeExpired();
    const member = memberId === null ? this.add(request) : this.see(memberId);
    member.hasJoined = true;
    this.assignIfComplete();
    if (this.rebalanceUntil !== null) return { memberId: member.id, assigned: null };
    const { partitions } = member;
    return { memberId: member.id, assigned: { generation: this.generation, partitions, offsets: this.startsOf(partitions) } };
  }

  /** Throws if the member must join again. */
  heartbeat(memberId: string, generation: number): void {
    this.removeExpired();
    this.see(memberId);
    if (generation !== this.generation) throw new BrokerError('ILLEGAL_GENERATION');
    if (this.rebalanceUntil !== null) throw new BrokerError('REBALANCE_IN_PROGRESS');
  }

  /** Stores offsets. Throws if the partitions have been shared anew. Until then, members may commit what they have handled. */
  commit(memberId: string, generation: number, offsets: readonly Offset[]): void {
    this.removeExpired();
    this.see(memberId);
    if (generation !== this.generation) throw new BrokerError('ILLEGAL_GENERATION');
    for (const { topic, partition, offset } of offsets) this.offsets.set(partitionKeyOf(topic, partition), offset);
  }

  leave(memberId: string): void {
    this.removeExpired();
    this.remove(memberId);
    this.assignIfComplete();
  }

  /** Returns the offset of the next message that the group has not handled. */
  committed(topic: string, partition: number): number {
    return this.offsets.get(partitionKeyOf(topic, partition)) ?? 0;
  }

  private add(request: JoinRequest): Member {
    const member = { ...request, id: `${this.id}-${++this.joins}`, lastSeen: this.clock.elapsed(), hasJoined: true, partitions: {} };
    this.startRebalance();
    this.members.set(member.id, member);
    return member;
  }

  private see(memberId: string): Member {
    const member = this.members.get(memberId);
    if (!member) throw new BrokerError('UNKNOWN_MEMBER_ID');
    member.lastSeen = this.clock.elapsed();
    return member;
  }

  private remove(memberId: string): void {
    if (this.members.delete(memberId)) this.startRebalance();
  }

  /** Nothing but calls reads a group, so it is enough to remove members before each call. */
  private removeExpired(): void {
    const now = this.clock.elapsed();
    const isLate = this.rebalanceUntil !== null && now > this.rebalanceUntil;
    for (const { id, lastSeen, sessionTimeout, hasJoined } of this.members.values())
      if (now - lastSeen > sessionTimeout || (isLate && !hasJoined)) this.remove(id);
    this.assignIfComplete();
  }

  private startRebalance(): void {
    if (this.rebalanceUntil !== null) return;
    let timeout = 0;
    for (const member of this.members.values()) {
      member.hasJoined = false;
      timeout = Math.max(timeout, member.rebalanceTimeout);
    }
    this.rebalanceUntil = this.clock.elapsed() + timeout;
  }

  /** Shares the partitions in turn among the members, if all have joined. */
  private assignIfComplete(): void {
    const members = [...this.members.values()];
    if (this.rebalanceUntil === null || members.some(({ hasJoined }) => !hasJoined)) return;
    this.rebalanceUntil = null;
    this.generation++;
    for (const member of members) member.partitions = {};
    let next = 0;
    for (const topic of new Set(members.flatMap(({ topics }) => topics))) {
      for (const partition of this.partitionsOf(topic).keys()) {
        const member = members[next++ % members.length];
        if (member) (member.partitions[topic] ??= []).push(partition);
      }
    }
  }

  private startsOf(partitions: Assignment): readonly Offset[] {
    return Object.entries(partitions).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic, partition, offset: this.committed(topic, partition) })),
    );
  }
}
